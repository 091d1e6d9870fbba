// verdict: same-within-bounds
// entry: weights
// kind: refactoring
// loops: other
// domain: int
// takes: long
// A loop with a case distinction as two loops.
unsigned old_weights(const unsigned *values, unsigned count, unsigned border) {
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++) {
        sum += i < border ? values[i] : 2 * values[i];
    }
    return sum;
}

unsigned new_weights(const unsigned *values, unsigned count, unsigned border) {
    unsigned sum = 0, i = 0;
    for (; i < count && i < border; i++) {
        sum += values[i];
    }
    for (; i < count; i++) {
        sum += values[i] << 1;
    }
    return sum;
}
