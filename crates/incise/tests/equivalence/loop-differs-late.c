// verdict: differs
// entry: counter
// kind: bug
// loops: lockstep
// domain: int
// The versions part in the fifth round.
unsigned old_counter(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += i;
    }
    return sum;
}

unsigned new_counter(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += i & 3;
    }
    return sum;
}
