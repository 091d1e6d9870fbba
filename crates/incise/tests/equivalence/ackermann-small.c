// verdict: same-within-bounds
// entry: grow
// kind: refactoring
// loops: other
// domain: int
// A recursion that grows fast, on small arguments, and what it comes to there.
static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) {
        return n + 1;
    }
    if (n == 0) {
        return ackermann(m - 1, 1);
    }
    return ackermann(m - 1, ackermann(m, n - 1));
}

unsigned old_grow(unsigned m, unsigned n) {
    if (m > 2 || n > 2) {
        return 0;
    }
    return ackermann(m, n);
}

unsigned new_grow(unsigned m, unsigned n) {
    if (m > 2 || n > 2) {
        return 0;
    }
    return m == 0 ? n + 1 : m == 1 ? n + 2 : 2 * n + 3;
}
