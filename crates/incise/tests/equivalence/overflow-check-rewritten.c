// verdict: same
// entry: fits
// kind: refactoring
// loops: none
// domain: int
// Whether a sum overflows: in 64 bits, and by comparing with the limits.
int old_fits(int a, int b) {
    long sum = (long)a + b;
    return sum >= -2147483648L && sum <= 2147483647L;
}

int new_fits(int a, int b) {
    if (b > 0) {
        return a <= 2147483647 - b;
    }
    return a >= -2147483647 - 1 - b;
}
