// RUN: incise run %s --sym-args 1 1 --sym-file a=1
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: null-pointer at 8
// The result of fopen is not checked.
#include <stdio.h>

int main(int argc, char **argv) {
    return getc(fopen(argv[1], "r")) == EOF;
}
