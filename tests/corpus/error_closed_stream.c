// RUN: incise run %s --entry last
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: use-after-free at 9
// A stream that was given is used after it was closed.
#include <stdio.h>

int last(FILE *f, int early) {
    if (early) fclose(f);
    return fgetc(f);
}
