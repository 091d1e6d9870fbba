// verdict: same
// entry: evaluate
// kind: refactoring
// loops: lockstep
// domain: float
// A loop over doubles with a symbolic number of rounds.
double old_evaluate(double x, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum = sum * x + i;
    }
    return sum;
}

double new_evaluate(double x, int n) {
    double sum = 0.0;
    int i = 0;
    while (i < n) {
        double next = x * sum;
        next += i;
        sum = next;
        i++;
    }
    return sum;
}
