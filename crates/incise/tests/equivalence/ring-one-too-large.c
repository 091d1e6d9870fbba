// verdict: differs
// entry: walk
// kind: bug
// loops: lockstep
// domain: int
// The next place of a ring without a division, and one too late.
unsigned old_walk(unsigned size, unsigned start, unsigned steps) {
    if (size == 0 || size > 1u << 30 || start >= size) {
        return 0;
    }
    unsigned at = start, sum = 0;
    for (unsigned i = 0; i < steps; i++) {
        at = (at + 1) % size;
        sum += at ^ i;
    }
    return sum;
}

unsigned new_walk(unsigned size, unsigned start, unsigned steps) {
    if (size == 0 || size > 1u << 30 || start >= size) {
        return 0;
    }
    unsigned at = start, sum = 0;
    for (unsigned i = 0; i < steps; i++) {
        if (++at > size) {
            at = 0;
        }
        sum += at ^ i;
    }
    return sum;
}
