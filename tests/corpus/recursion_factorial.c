// RUN: incise run %s --entry factorial_of
// EXPECT: paths=7 errors=0 complete=true exit=0
// Recursion whose depth depends on an input: one path for each depth, and one that refuses.

static unsigned factorial(unsigned n) {
    if (n == 0) {
        return 1;
    }
    return n * factorial(n - 1);
}

unsigned factorial_of(unsigned n) {
    if (n > 5) {
        return 0;
    }
    return factorial(n);
}
