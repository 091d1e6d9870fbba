// RUN: incise run %s --sym-files 2 1 --sym-args 1 2
// EXPECT: paths=5 errors=0 complete=true exit=0
// Files that are only counted are called A, B, C...
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argc;
    FILE *file = fopen(argv[1], "r");
    if (!file) {
        return 1;
    }
    int c = getc(file);
    fclose(file);
    return c == EOF ? 2 : c == 'x' ? 3 : 4;
}
