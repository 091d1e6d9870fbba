// verdict: same
// entry: scaled
// kind: refactoring
// loops: lockstep
// domain: int
// takes: long
// A product with an unknown factor is added up.
unsigned old_scaled(unsigned n, unsigned factor, unsigned offset) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum ^= i * factor + offset;
    }
    return sum;
}

unsigned new_scaled(unsigned n, unsigned factor, unsigned offset) {
    unsigned sum = 0, next = offset;
    for (unsigned i = 0; i < n; i++) {
        sum ^= next;
        next += factor;
    }
    return sum;
}
