// verdict: same
// entry: draw
// kind: refactoring
// loops: lockstep
// domain: int
// A linear congruential generator, n steps: the step got a function of its own.
unsigned old_draw(unsigned seed, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (seed >> 31) {
            seed ^= 0x5bd1e995u;
        }
    }
    return seed;
}

static unsigned next(unsigned seed) {
    unsigned word = 1013904223u + 1664525u * seed;
    return word & 0x80000000u ? word ^ 0x5bd1e995u : word;
}

unsigned new_draw(unsigned seed, unsigned n) {
    unsigned i = 0;
    while (n > i) {
        seed = next(seed);
        i++;
    }
    return seed;
}
