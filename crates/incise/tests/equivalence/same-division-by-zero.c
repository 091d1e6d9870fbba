// verdict: same
// entry: ratio
// kind: refactoring
// loops: none
// domain: int
// Both versions fail for the same divisor, and only for it.
unsigned old_ratio(unsigned a, unsigned b) {
    unsigned whole = a / b;
    unsigned rest = a % b;
    return whole + (rest != 0);
}

unsigned new_ratio(unsigned a, unsigned b) {
    unsigned whole = a / b;
    if (whole * b != a) {
        whole++;
    }
    return whole;
}
