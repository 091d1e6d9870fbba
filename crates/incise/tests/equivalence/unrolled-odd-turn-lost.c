// verdict: differs
// entry: mix
// kind: bug
// loops: other
// domain: int
// Two turns at once, and the odd one is lost.
unsigned old_mix(unsigned n, unsigned step) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum = sum * 31 + (step ^ i);
    }
    return sum;
}

unsigned new_mix(unsigned n, unsigned step) {
    unsigned sum = 0, i = 0;
    while (i + 1 < n) {
        sum = sum * 31 + (step ^ i);
        sum = sum * 31 + (step ^ (i + 1));
        i += 2;
    }
    if (i + 1 < n) {
        sum = sum * 31 + (step ^ i);
    }
    return sum;
}
