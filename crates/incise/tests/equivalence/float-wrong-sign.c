// verdict: differs
// entry: discriminant
// kind: bug
// loops: none
// domain: float
// A sign in a formula.
double old_discriminant(double a, double b, double c) {
    return b * b - 4.0 * a * c;
}

double new_discriminant(double a, double b, double c) {
    return b * b + 4.0 * a * c;
}
