// verdict: same
// entry: twice
// kind: refactoring
// loops: none
// domain: float
// Twice a number is the number plus itself.
double old_twice(double x, double y) {
    return x * 2.0 - y * 2.0;
}

double new_twice(double x, double y) {
    return (x + x) - (y + y);
}
