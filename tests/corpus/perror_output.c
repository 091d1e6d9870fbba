// RUN: incise run %s --closed
// EXPECT: paths=2 errors=0 complete=true exit=0
// perror names the last error on the standard error output.
#include "klee/klee.h"
#include <errno.h>
#include <stdio.h>

int main(void) {
    int named;
    klee_make_symbolic(&named, sizeof named, "named");
    if (!fopen("missing.txt", "r")) {
        if (named > 0) {
            perror("open");
        } else {
            perror(NULL);
        }
    }
    errno = 4321;
    perror("odd");
    return 1;
}
