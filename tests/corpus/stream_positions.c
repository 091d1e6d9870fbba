// RUN: incise run %s --entry positions --size f=0..3
// EXPECT: paths=14 errors=0 complete=true exit=0
// Where a stream stands is left behind: after ungetc, fseek, ftell and rewind, and with the flags for the end.
#include <stdio.h>

long positions(FILE *f, int how) {
    int c = getc(f);
    if (c == EOF)
        return -1;
    switch (how) {
    case 0: ungetc(c, f); break;
    case 1: fseek(f, 0, SEEK_END); break;
    case 2: rewind(f); break;
    case 3: fseek(f, 1, SEEK_CUR); break;
    case 4:
        while (getc(f) != EOF) {
        }
        break;
    case 5:
        fseek(f, 1, SEEK_SET);
        fputs("<>", f);
        break;
    default: return feof(f) + 10 * ferror(f);
    }
    return ftell(f);
}
