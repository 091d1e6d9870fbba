// verdict: same
// entry: root
// kind: refactoring
// loops: lockstep
// domain: float
// Newton's method for a square root, a given number of steps.
double old_root(double x, unsigned steps) {
    double guess = x / 2.0;
    for (unsigned i = 0; i < steps; i++) {
        guess = (guess + x / guess) / 2.0;
    }
    return guess;
}

static double better(double x, double guess) {
    double quotient = x / guess;
    return 0.5 * (quotient + guess);
}

double new_root(double x, unsigned steps) {
    double guess = 0.5 * x;
    unsigned i = 0;
    while (i < steps) {
        guess = better(x, guess);
        i += 1;
    }
    return guess;
}
