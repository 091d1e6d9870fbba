// verdict: same
// entry: common
// kind: refactoring
// loops: other
// domain: int
// The greatest common divisor by recursion and by a loop.
unsigned old_common(unsigned a, unsigned b) {
    return b == 0 ? a : old_common(b, a % b);
}

unsigned new_common(unsigned a, unsigned b) {
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
