// verdict: same
// entry: table
// kind: refactoring
// loops: lockstep
// domain: int
// The body computes the same by other operations.
unsigned old_table(unsigned n, unsigned seed) {
    unsigned hash = seed;
    for (unsigned i = 0; i != n; i++) {
        hash = hash * 33;
        hash = hash ^ i * 2;
    }
    return hash;
}

unsigned new_table(unsigned n, unsigned seed) {
    unsigned hash = seed;
    for (unsigned i = 0; i != n; i++) {
        hash = (hash << 5) + hash;
        hash ^= i << 1;
    }
    return hash;
}
