// RUN: incise run %s --sym-file in=1
// EXPECT: paths=2 errors=1 complete=true exit=1
// ERROR: use-after-free at 11
#include <stdio.h>

int main(void) {
    FILE *file = fopen("in", "r");
    int c = getc(file);
    fclose(file);
    if (c == EOF)
        return getc(file);
    return 0;
}
