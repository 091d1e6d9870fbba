// verdict: same
// entry: power
// kind: refactoring
// loops: lockstep
// domain: int
// Another form of the same loop, with a symbolic number of rounds.
unsigned old_power(unsigned base, unsigned n) {
    unsigned result = 1;
    for (unsigned i = 0; i < n; i++) {
        result = result * base;
    }
    return result;
}

unsigned new_power(unsigned base, unsigned n) {
    unsigned result = 1;
    unsigned i = 0;
    while (i < n) {
        result *= base;
        ++i;
    }
    return result;
}
