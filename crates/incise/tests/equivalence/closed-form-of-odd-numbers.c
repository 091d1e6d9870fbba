// verdict: same-within-bounds
// entry: squares
// kind: refactoring
// loops: other
// domain: int
// The sum of odd numbers is a square.
unsigned old_squares(unsigned char n, unsigned start) {
    unsigned sum = start;
    for (unsigned i = 0; i < n; i++) {
        sum += 2 * i + 1;
    }
    return sum;
}

unsigned new_squares(unsigned char n, unsigned start) {
    return start + n * n;
}
