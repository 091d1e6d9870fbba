// RUN: incise run %s --entry capital --size f=0..3
// EXPECT: paths=12 errors=0 complete=true exit=0
// A stream that is read and written; one that is given and closed.
#include <ctype.h>
#include <stdio.h>

int capital(FILE *f, int close) {
    int c = getc(f);
    if (c != EOF && c < 128 && islower(c)) {
        rewind(f);
        putc(toupper(c), f);
    }
    return close ? fclose(f) : 1;
}
