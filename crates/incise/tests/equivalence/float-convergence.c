// verdict: same-within-bounds
// entry: series
// kind: refactoring
// loops: other
// domain: float
// A series that ends when its terms are small: another form of the loop.
double old_series(unsigned char k) {
    double x = k / 1024.0;
    double term = x, sum = 0.0;
    int n = 1;
    while (term > 1e-6) {
        sum += term;
        n++;
        term = term * x / n;
    }
    return sum;
}

double new_series(unsigned char k) {
    double x = k / 1024.0;
    double term = x, sum = 0.0;
    for (int n = 2;; n++) {
        if (!(term > 1e-6)) {
            break;
        }
        sum = term + sum;
        term = x * term / n;
    }
    return sum;
}
