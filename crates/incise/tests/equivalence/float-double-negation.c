// verdict: same
// entry: turned
// kind: refactoring
// loops: none
// domain: float
// Two signs, or none.
double old_turned(double a, double b) {
    return -a * -b;
}

double new_turned(double a, double b) {
    return a * b;
}
