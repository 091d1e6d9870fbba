// RUN: incise run %s --entry next
// EXPECT: paths=6 errors=0 complete=true exit=0
// A stream in a struct, and one in a global variable that may be null.
#include <stdio.h>

struct reader {
    FILE *in;
    int line;
};

FILE *echo;

int next(struct reader *reader) {
    int c = fgetc(reader->in);
    if (c == '\n')
        reader->line++;
    if (echo && c != EOF)
        fputc(c, echo);
    return c;
}

void start(FILE *to) { echo = to; }
