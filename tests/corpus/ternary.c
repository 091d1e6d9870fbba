// RUN: incise run %s --entry middle
// EXPECT: paths=9 errors=0 complete=true exit=0
// Nested conditional expressions; one of constants is no branch at all.

static int largest(int a, int b, int c) { return a > b ? (a > c ? a : c) : b > c ? b : c; }

int middle(short a, short b, short c) {
    int top = largest(a, b, c);
    int bottom = -largest(-a, -b, -c);
    int sign = top > 0 ? 1 : -1;
    return (a + b + c - top - bottom) * sign;
}
