// verdict: differs
// entry: sums
// kind: bug
// loops: other
// domain: int
// One of two loops that become one went one turn farther.
unsigned old_sums(unsigned n, unsigned x) {
    unsigned odd = 0, squares = 0;
    for (unsigned i = 0; i < n; i++) {
        odd += i ^ x;
    }
    for (unsigned i = 0; i <= n; i++) {
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
