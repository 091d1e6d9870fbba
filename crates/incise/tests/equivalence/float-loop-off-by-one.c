// verdict: differs
// entry: evaluate
// kind: bug
// loops: lockstep
// domain: float
// One term too many.
double old_evaluate(double x, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum = sum * x + i;
    }
    return sum;
}

double new_evaluate(double x, int n) {
    double sum = 0.0;
    for (int i = 0; i <= n; i++) {
        sum = sum * x + i;
    }
    return sum;
}
