// verdict: same
// entry: area
// kind: refactoring
// loops: none
// domain: int
// Independent statements in another order.
int old_area(int width, int height, int border) {
    int inner = width * height;
    int rim = 2 * border * (width + height);
    int corners = 4 * border * border;
    return inner + rim + corners;
}

int new_area(int width, int height, int border) {
    int corners = 4 * border * border;
    int inner = width * height;
    int rim = 2 * border * (width + height);
    return inner + rim + corners;
}
