// verdict: same-within-bounds
// entry: product
// kind: refactoring
// loops: other
// domain: int
// Multiplication by doubling and halving.
unsigned old_product(unsigned char a, unsigned char b) {
    return a * b;
}

unsigned new_product(unsigned char a, unsigned char b) {
    unsigned sum = 0, add = a;
    for (unsigned left = b; left; left >>= 1) {
        if (left & 1) {
            sum += add;
        }
        add <<= 1;
    }
    return sum;
}
