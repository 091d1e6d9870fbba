// verdict: same-within-bounds
// entry: triangle
// kind: refactoring
// loops: other
// domain: int
// The loop counts down.
unsigned old_triangle(unsigned char n) {
    unsigned sum = 0;
    for (unsigned i = 1; i <= n; i++) {
        sum += i;
    }
    return sum;
}

unsigned new_triangle(unsigned char n) {
    unsigned sum = 0;
    for (unsigned i = n; i > 0; i--) {
        sum += i;
    }
    return sum;
}
