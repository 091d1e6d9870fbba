// verdict: differs
// entry: factorial
// kind: bug
// loops: other
// domain: int
// The recursion ends one too late.
static unsigned down(unsigned n) {
    return n <= 1 ? 1 : n * down(n - 1);
}

unsigned old_factorial(unsigned n) {
    return n > 6 ? 0 : down(n);
}

static unsigned lower(unsigned n) {
    return n == 0 ? 0 : n == 1 ? 1 : n * lower(n - 1);
}

unsigned new_factorial(unsigned n) {
    return n > 6 ? 0 : lower(n);
}
