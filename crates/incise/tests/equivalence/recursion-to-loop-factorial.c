// verdict: same-within-bounds
// entry: factorial
// kind: refactoring
// loops: other
// domain: int
// A recursive function as a loop.
unsigned old_factorial(unsigned n) {
    if (n > 12) {
        return 0;
    }
    return n < 2 ? 1 : n * old_factorial(n - 1);
}

unsigned new_factorial(unsigned n) {
    if (n > 12) {
        return 0;
    }
    unsigned product = 1;
    for (unsigned i = 2; i <= n; i++) {
        product *= i;
    }
    return product;
}
