// RUN: incise run %s --entry first
// EXPECT: paths=3 errors=0 complete=true exit=0
// A stream that is checked may be null, and is none of the standard ones.
#include <stdio.h>

int first(FILE *f) {
    if (!f || f == stdin || f == stdout)
        return -2;
    return fgetc(f);
}
