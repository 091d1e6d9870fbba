// verdict: same
// entry: horner
// kind: refactoring
// loops: none
// domain: float
// A polynomial with temporary variables.
double old_horner(double x) {
    return ((2.5 * x - 1.25) * x + 0.5) * x - 7.0;
}

double new_horner(double x) {
    double result = 2.5 * x;
    result -= 1.25;
    result *= x;
    result += 0.5;
    result *= x;
    return result - 7.0;
}
