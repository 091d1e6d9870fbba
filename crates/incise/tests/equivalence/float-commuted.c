// verdict: same
// entry: mixed
// kind: refactoring
// loops: none
// domain: float
// Sums and products of two are commutative, also in floating point.
double old_mixed(double a, double b, double c) {
    return (a + b) * c + a * b;
}

double new_mixed(double a, double b, double c) {
    double product = b * a;
    double sum = b + a;
    return product + c * sum;
}
