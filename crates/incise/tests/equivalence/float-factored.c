// verdict: differs
// entry: area
// kind: bug
// loops: none
// domain: float
// Taking out a factor is not exact in floating point.
double old_area(double width, double a, double b) {
    return width * a + width * b;
}

double new_area(double width, double a, double b) {
    return width * (a + b);
}
