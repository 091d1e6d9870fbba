// RUN: incise run %s --sym-file in.txt=3
// EXPECT: paths=15 errors=0 complete=true exit=0
// A file has any number of bytes up to its length; getc, ungetc, feof and ftell agree about where it ends.
#include <stdio.h>

int main(void) {
    FILE *file = fopen("in.txt", "r");
    if (!file)
        return 99;
    int upper = 0, c;
    while ((c = getc(file)) != EOF) {
        if (c == 'A') {
            ungetc('a', file);
            if (ftell(file) != upper)
                return 98;
            if (getc(file) != 'a')
                return 97;
        }
        upper++;
    }
    printf("%d %d %d %ld\n", upper, feof(file), ferror(file), ftell(file));
    return fclose(file);
}
