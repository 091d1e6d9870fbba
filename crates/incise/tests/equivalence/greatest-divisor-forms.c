// verdict: same
// entry: divisor
// kind: refactoring
// loops: lockstep
// domain: int
// Euclid's algorithm with another form of its loop.
unsigned old_divisor(unsigned a, unsigned b) {
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

unsigned new_divisor(unsigned a, unsigned b) {
    for (;;) {
        if (b == 0) {
            return a;
        }
        unsigned kept = b;
        b = a % b;
        a = kept;
    }
}
