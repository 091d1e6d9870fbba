// RUN: incise run %s --entry extended
// EXPECT: paths=3 errors=0 complete=true exit=0
// long double keeps 64 bits of precision; here on concrete values after a symbolic choice.

static long double power(long double base, int exponent) {
    long double result = 1;
    while (exponent-- > 0) {
        result *= base;
    }
    return result;
}

int extended(int which) {
    volatile long double one = 1;
    long double large = power(2, 63) + one;
    if (which == 1) {
        return (int)(large - power(2, 63));
    }
    if (which == 2) {
        return (double)large == (double)power(2, 63) ? 20 : 21;
    }
    return (int)(power(3, 5) / 9) + (one / 3 * 3 == 1);
}
