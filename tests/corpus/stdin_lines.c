// RUN: incise run %s --sym-stdin 4
// EXPECT: paths=31 errors=0 complete=true exit=0
// fgets stops at a newline or at its size, and keeps the newline.
#include <stdio.h>

int main(void) {
    char line[4];
    int lines = 0;
    while (fgets(line, sizeof line, stdin)) {
        lines++;
    }
    return lines;
}
