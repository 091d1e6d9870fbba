// verdict: same
// entry: add
// kind: refactoring
// loops: none
// domain: int
// Saturation by a wider type, and by looking at the carry.
unsigned old_add(unsigned a, unsigned b) {
    unsigned long sum = (unsigned long)a + b;
    return sum > 0xffffffffu ? 0xffffffffu : (unsigned)sum;
}

unsigned new_add(unsigned a, unsigned b) {
    unsigned sum = a + b;
    return sum | -(unsigned)(sum < a);
}
