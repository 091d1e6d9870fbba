// verdict: differs
// entry: squares
// kind: bug
// loops: other
// domain: int
// The product is right for all numbers but the largest.
unsigned old_squares(unsigned char n) {
    unsigned sum = 0;
    for (unsigned i = 1; i <= n; i++)
        sum += i * i;
    return sum;
}

unsigned new_squares(unsigned char n) {
    unsigned char m = n + 1;
    return n * m * (2 * n + 1) / 6;
}
