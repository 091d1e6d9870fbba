// RUN: incise run %s --sym-stdin 3
// EXPECT: paths=15 errors=0 complete=true exit=0
// Counting in a loop over getchar until the end of the input.
#include <stdio.h>

int main(void) {
    int c, lines = 0, total = 0;
    while ((c = getchar()) != EOF) {
        total++;
        if (c == '\n') {
            lines++;
        }
    }
    printf("%d %d\n", total, lines);
    return feof(stdin) ? lines : 9;
}
