// verdict: same
// entry: integral
// kind: refactoring
// loops: lockstep
// domain: float
// The trapezoidal rule for a parabola.
double old_integral(double from, double to, int n) {
    double width = (to - from) / n;
    double sum = 0.0;
    for (int i = 1; i < n; i++) {
        double x = from + i * width;
        sum += x * x - 3.0 * x;
    }
    return sum * width;
}

static double parabola(double x) {
    return x * x - 3.0 * x;
}

double new_integral(double from, double to, int n) {
    const double width = (to - from) / n;
    double sum = 0.0;
    for (int i = 1; i < n; ++i) {
        sum = sum + parabola(i * width + from);
    }
    return width * sum;
}
