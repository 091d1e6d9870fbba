// verdict: differs
// entry: scaled
// kind: bug
// loops: lockstep
// domain: int
// A product with an unknown factor is added up from another number.
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
        next += offset;
    }
    return sum;
}
