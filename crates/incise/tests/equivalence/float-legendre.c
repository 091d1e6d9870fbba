// verdict: same
// entry: legendre
// kind: refactoring
// loops: lockstep
// domain: float
// takes: long
// Legendre polynomials by their recurrence.
double old_legendre(int n, double x) {
    double before = 1.0, now = x;
    for (int k = 2; k <= n; k++) {
        double next = (x * (2.0 * k - 1.0) * now - (k - 1.0) * before) / k;
        before = now;
        now = next;
    }
    return now;
}

double new_legendre(int n, double x) {
    double now = x;
    double last = 1.0;
    for (int k = 2; k <= n; k++) {
        double factor = 2.0 * k - 1.0;
        double kept = now;
        now = (factor * x * now - last * (k - 1.0)) / k;
        last = kept;
    }
    return now;
}
