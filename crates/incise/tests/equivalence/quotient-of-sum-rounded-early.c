// verdict: differs
// entry: scaled
// kind: bug
// loops: lockstep
// domain: int
// takes: long
// Quotients are added up, and lose what is left of each.
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
    unsigned sum = 0, quotient = 0;
    if (divisor == 0) {
        return 0;
    }
    for (unsigned i = 0; i < n; i++) {
        sum ^= quotient;
        quotient += factor / divisor;
    }
    return sum;
}
