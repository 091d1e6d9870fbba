// verdict: same-within-bounds
// entry: product
// kind: refactoring
// loops: other
// domain: int
// Repeated addition for a multiplication.
int old_product(int a, unsigned char b) {
    return a * b;
}

int new_product(int a, unsigned char b) {
    int sum = 0;
    while (b > 0) {
        sum += a;
        b--;
    }
    return sum;
}
