// verdict: differs
// entry: common
// kind: bug
// loops: other
// domain: int
// The remainder is taken of what was just set.
unsigned old_common(unsigned a, unsigned b) {
    return b == 0 ? a : old_common(b, a % b);
}

unsigned new_common(unsigned a, unsigned b) {
    while (b != 0) {
        a = b;
        b = a % b;
    }
    return a;
}
