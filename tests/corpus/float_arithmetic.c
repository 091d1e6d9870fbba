// RUN: incise run %s
// EXPECT: paths=3 errors=0 complete=true exit=0
// Concrete floating point is the machine's: rounding of float and double, printed exactly.
#include "klee/klee.h"
#include <stdio.h>

static double series(int terms) {
    double sum = 0;
    for (int i = 1; i <= terms; i++) {
        sum += 1.0 / (i * i);
    }
    return sum;
}

int main(void) {
    unsigned terms;
    klee_make_symbolic(&terms, sizeof terms, "terms");
    float third = 1.0f / 3.0f;
    if (terms == 10) {
        printf("%.17g %.9g\n", series(10), (double)third);
    } else if (terms == 100) {
        printf("%a %e\n", series(100), third * 3.0);
    } else {
        printf("%f %d\n", 0.1 + 0.2, (int)(-2.75f * 4));
    }
    return 0;
}
