// RUN: incise run %s --entry length
// EXPECT: paths=18 errors=0 complete=false exit=3
// How long the file of a stream is nobody said: the result is not complete, and says so.
#include <stdio.h>

int length(FILE *f) {
    int bytes = 0;
    while (fgetc(f) != EOF)
        bytes++;
    return bytes;
}
