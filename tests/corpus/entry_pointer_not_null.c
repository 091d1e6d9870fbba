// RUN: incise run %s --entry exchange --no-null
// EXPECT: paths=2 errors=0 complete=true exit=0
// Two pointer parameters lead to different objects, and with --no-null to some object.

int exchange(long *a, long *b) {
    if (a == b) {
        return -1; /* never: no two inputs share memory */
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
