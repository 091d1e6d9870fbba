// verdict: differs
// entry: mean
// kind: bug
// loops: none
// domain: float
// An intermediate result lost half of its digits.
double old_mean(double a, double b) {
    double sum = a + b;
    return sum / 2.0;
}

double new_mean(double a, double b) {
    float sum = (float)(a + b);
    return sum / 2.0;
}
