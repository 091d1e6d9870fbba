// verdict: differs
// entry: sum
// kind: bug
// loops: none
// domain: float
// Sums of three are not associative in floating point.
double old_sum(double a, double b, double c) {
    return (a + b) + c;
}

double new_sum(double a, double b, double c) {
    return a + (b + c);
}
