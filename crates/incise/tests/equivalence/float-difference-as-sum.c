// verdict: same
// entry: gap
// kind: refactoring
// loops: none
// domain: float
// A difference is the sum with the negated number.
double old_gap(double a, double b) {
    return a - b;
}

double new_gap(double a, double b) {
    double other = -b;
    return other + a;
}
