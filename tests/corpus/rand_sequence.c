// RUN: incise run %s
// EXPECT: paths=3 errors=0 complete=true exit=0
// rand is glibc's sequence, number for number, from the default seed and from a given one.
#include "klee/klee.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned mode;
    unsigned own = 5;
    klee_make_symbolic(&mode, sizeof mode, "mode");
    if (mode == 1) {
        srand(12345);
    } else if (mode == 2) {
        srandom(0);
    }
    for (int i = 0; i < 4; i++) {
        printf("%d %ld %d\n", rand(), random(), rand_r(&own));
    }
    return rand() % 64;
}
