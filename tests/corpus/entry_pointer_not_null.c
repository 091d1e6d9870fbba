// RUN: incise run %s --entry exchange --no-null
// EXPECT: paths=3 errors=0 complete=true exit=0
// With --no-null two pointer parameters lead to some object each; where the code compares them, also to the same one.

int exchange(long *a, long *b) {
    if (a == b) {
        return -1; /* one object */
    }
    if (a == 0 || b == 0) {
        return -2;
    }
    if (*a > *b) {
        long kept = *a;
        *a = *b;
        *b = kept;
        return 1;
    }
    return *a == *b ? 2 : 3;
}
