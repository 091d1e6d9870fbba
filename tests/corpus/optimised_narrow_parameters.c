// RUN: incise run %s --entry widen -O 2
// EXPECT: paths=3 errors=0 complete=true exit=0
// Optimised code relies on its caller to widen narrow parameters.
extern int printf(const char *, ...);

int widen(signed char a, unsigned short b, _Bool c) {
    if (a < 0) {
        printf("negative %d\n", a);
        return b + a;
    }
    if (c) {
        printf("set %u\n", b);
        return 1 << c;
    }
    return a + 3;
}
