// RUN: incise run %s --entry checked
// EXPECT: paths=4 errors=0 complete=true exit=0
// Arithmetic that reports overflow instead of having it.

int checked(int a, int b) {
    int sum, product;
    unsigned char narrow;
    unsigned long difference;
    if (__builtin_add_overflow(a, b, &sum)) {
        return -1;
    }
    if (__builtin_mul_overflow(sum, 1000, &product)) {
        return -2;
    }
    if (__builtin_add_overflow(product, 7, &narrow)) {
        return narrow;
    }
    if (__builtin_sub_overflow((unsigned long)narrow, 8ul, &difference)) {
        return -4;
    }
    return (int)difference;
}
