// RUN: incise run %s --sym-args 1 2 --sym-file a=1
// EXPECT: paths=3 errors=0 complete=true exit=0
// A file that is made may have any name but those that lead out of the folder.
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *file = fopen(argv[1], "w");
    if (!file)
        return 1;
    fputs("made", file);
    fclose(file);
    FILE *again = fopen(argv[1], "r");
    return again && getc(again) == 'm' ? 0 : 2;
}
