// verdict: same-within-bounds
// entry: triangle
// kind: refactoring
// loops: other
// domain: int
// Gauss's formula for a loop.
unsigned old_triangle(unsigned char n) {
    unsigned sum = 0;
    for (unsigned i = 1; i <= n; i++) {
        sum += i;
    }
    return sum;
}

unsigned new_triangle(unsigned char n) {
    return n * (n + 1u) / 2;
}
