// verdict: same
// entry: middle
// kind: refactoring
// loops: none
// domain: int
// The middle of two numbers without leaving 32 bits.
unsigned old_middle(unsigned a, unsigned b) {
    return (unsigned)(((unsigned long)a + b) / 2);
}

unsigned new_middle(unsigned a, unsigned b) {
    return (a & b) + ((a ^ b) >> 1);
}
