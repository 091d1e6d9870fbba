// verdict: differs
// entry: shifted
// kind: bug
// loops: none
// domain: float
// Adding zero turns minus zero into zero.
double old_shifted(double x) {
    return x;
}

double new_shifted(double x) {
    return x + 0.0;
}
