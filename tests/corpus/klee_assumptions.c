// RUN: incise run %s
// EXPECT: paths=2 errors=0 complete=true exit=0
// klee_assume restricts a path; klee_silent_exit ends one that is not counted.
#include "klee/klee.h"

int main(void) {
    int x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume(x > 0);
    klee_assume((y > x) & (y < 100));
    if (x >= 99) {
        return 1; /* never */
    }
    if (x == 50) {
        klee_silent_exit(0);
    }
    if (y == x + 1) {
        return 2;
    }
    klee_prefer_cex(&x, x == 10);
    return x > 97 ? 3 : x % 2 ? 4 : 5;
}
