// verdict: same
// entry: distance
// kind: refactoring
// loops: none
// domain: int
// A small function was written out.
static int magnitude(int x) {
    return x < 0 ? -x : x;
}

int old_distance(int x1, int y1, int x2, int y2) {
    return magnitude(x1 - x2) + magnitude(y1 - y2);
}

int new_distance(int x1, int y1, int x2, int y2) {
    int dx = x1 - x2;
    int dy = y1 - y2;
    if (dx < 0) {
        dx = -dx;
    }
    if (dy < 0) {
        dy = -dy;
    }
    return dx + dy;
}
