// RUN: incise run %s
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: assertion at 16
// Output before an error belongs to the error's path.
#include "klee/klee.h"
#include <stdio.h>

int main(void) {
    int budget;
    klee_make_symbolic(&budget, sizeof budget, "budget");
    fprintf(stderr, "checking\n");
    if (budget < 0) {
        fprintf(stderr, "negative\n");
        return 2;
    }
    klee_assert(budget != 777); // error: assertion
    printf("fine\n");
    return 0;
}
