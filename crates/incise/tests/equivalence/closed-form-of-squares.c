// verdict: same
// entry: squares
// kind: refactoring
// loops: other
// domain: int
// The sum of squares as a product, for all numbers that a byte holds: more turns than are gone round at first.
unsigned old_squares(unsigned char n) {
    unsigned sum = 0;
    for (unsigned i = 1; i <= n; i++)
        sum += i * i;
    return sum;
}

unsigned new_squares(unsigned char n) {
    unsigned m = n;
    return m * (m + 1) * (2 * m + 1) / 6;
}
