// verdict: same
// entry: scaled
// kind: refactoring
// loops: lockstep
// domain: int
// takes: long
// What is divided is added up.
unsigned old_scaled(unsigned n, unsigned factor, unsigned divisor) {
    unsigned sum = 0;
    if (divisor == 0) {
        return 0;
    }
    for (unsigned i = 0; i < n; i++) {
        sum ^= i * factor / divisor;
    }
    return sum;
}

unsigned new_scaled(unsigned n, unsigned factor, unsigned divisor) {
    unsigned sum = 0, product = 0;
    if (divisor == 0) {
        return 0;
    }
    for (unsigned i = 0; i < n; i++) {
        sum ^= product / divisor;
        product += factor;
    }
    return sum;
}
