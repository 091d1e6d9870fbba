// RUN: incise run %s --entry ackermann_of
// EXPECT: paths=5 errors=0 complete=true exit=0
// Deep recursion on concrete values after a symbolic choice.

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) {
        return n + 1;
    }
    if (n == 0) {
        return ackermann(m - 1, 1);
    }
    return ackermann(m - 1, ackermann(m, n - 1));
}

unsigned ackermann_of(unsigned m) {
    if (m == 0) {
        return ackermann(0, 7);
    }
    if (m == 1) {
        return ackermann(1, 7);
    }
    if (m == 2) {
        return ackermann(2, 7);
    }
    if (m == 3) {
        return ackermann(3, 3);
    }
    return 0;
}
