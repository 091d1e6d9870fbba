// verdict: differs
// entry: squares
// kind: bug
// loops: other
// domain: int
// The sum of even numbers is no square.
unsigned old_squares(unsigned char n, unsigned start) {
    unsigned sum = start;
    for (unsigned i = 0; i < n; i++) {
        sum += 2 * i;
    }
    return sum;
}

unsigned new_squares(unsigned char n, unsigned start) {
    return start + n * n;
}
