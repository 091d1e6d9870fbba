// verdict: differs
// entry: divisor
// kind: bug
// loops: lockstep
// domain: int
// The greatest divisor with zero is the other number, and not zero.
unsigned old_divisor(unsigned char a, unsigned char b) {
    while (b != 0) {
        unsigned char rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

unsigned new_divisor(unsigned char a, unsigned char b) {
    if (a == 0 || b == 0) {
        return 0;
    }
    while (b != 0) {
        unsigned char rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
