// RUN: incise run %s --entry parity
// EXPECT: paths=6 errors=0 complete=true exit=0
// Mutual recursion: each function calls the other one.

static int is_odd(unsigned n);

static int is_even(unsigned n) {
    if (n == 0) {
        return 1;
    }
    return is_odd(n - 1);
}

static int is_odd(unsigned n) {
    if (n == 0) {
        return 0;
    }
    return is_even(n - 1);
}

int parity(unsigned n) {
    if (n >= 5) {
        return -1;
    }
    return is_even(n) ? 10 : 11;
}
