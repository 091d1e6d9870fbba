// RUN: incise run %s --entry count --size f=0..3
// EXPECT: paths=15 errors=0 complete=true exit=0
// A stream that is an input is open on a file with any number of bytes.
#include <stdio.h>

int count(FILE *f) {
    int c, lines = 0;
    while ((c = getc(f)) != EOF)
        if (c == '\n')
            lines++;
    return lines;
}
