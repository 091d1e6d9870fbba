// verdict: same-within-bounds
// entry: sums
// kind: refactoring
// loops: other
// domain: int
// Two sums in one loop for one loop each.
unsigned old_sums(unsigned n, unsigned x) {
    unsigned odd = 0, squares = 0;
    for (unsigned i = 0; i < n; i++) {
        odd += i ^ x;
    }
    for (unsigned i = 0; i < n; i++) {
        squares += i * i;
    }
    return odd * 3 + squares;
}

unsigned new_sums(unsigned n, unsigned x) {
    unsigned odd = 0, squares = 0;
    for (unsigned i = 0; i < n; i++) {
        odd += i ^ x;
        squares += i * i;
    }
    return odd * 3 + squares;
}
