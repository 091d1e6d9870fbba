// RUN: incise run %s --sym-args 1 2 --sym-file a=1 --sym-file bc=1
// EXPECT: paths=5 errors=0 complete=true exit=0
// A symbolic argument names one of the files, or one that is not there, as a whole and not byte by byte.
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *file = fopen(argv[1], "r");
    if (!file) {
        perror("open");
        return 1;
    }
    int c = getc(file);
    fclose(file);
    return c == EOF ? 2 : 3;
}
