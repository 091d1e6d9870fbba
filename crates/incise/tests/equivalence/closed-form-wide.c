// verdict: same
// entry: triangle
// kind: refactoring
// loops: other
// domain: int
// Gauss's formula in numbers that are wide enough.
unsigned long old_triangle(unsigned n) {
    unsigned long sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += i;
    }
    return sum;
}

unsigned long new_triangle(unsigned n) {
    unsigned long wide = n;
    return n == 0 ? 0 : wide * (wide - 1) / 2;
}
