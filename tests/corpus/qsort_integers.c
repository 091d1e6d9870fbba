// RUN: incise run %s
// EXPECT: paths=24 errors=0 complete=true exit=0
// qsort of four symbolic numbers: one path for each order that they can have.
#include "klee/klee.h"
#include <stdlib.h>

static int ascending(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

int main(void) {
    int values[4];
    klee_make_symbolic(values, sizeof values, "values");
    qsort(values, 4, sizeof *values, ascending);
    klee_assert((values[0] <= values[1]) & (values[1] <= values[2]) & (values[2] <= values[3]));
    return 0;
}
