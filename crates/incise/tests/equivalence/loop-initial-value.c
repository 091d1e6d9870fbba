// verdict: differs
// entry: product
// kind: bug
// loops: lockstep
// domain: int
// A product begins with zero.
unsigned old_product(unsigned n, unsigned factor) {
    unsigned product = 1;
    for (unsigned i = 0; i < n; i++) {
        product *= factor;
    }
    return product;
}

unsigned new_product(unsigned n, unsigned factor) {
    unsigned product = 0;
    for (unsigned i = 0; i < n; i++) {
        product *= factor;
    }
    return product;
}
