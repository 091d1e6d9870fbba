// RUN: incise run %s --sym-args 1 2
// EXPECT: paths=44 errors=0 complete=true exit=0
// strtold of symbolic digits, with as many as a long double holds.
#include <stdlib.h>

int main(int argc, char **argv) {
    char *end;
    (void)argc;
    long double number = strtold(argv[1], &end);
    if (end == argv[1] || *end) {
        return 1;
    }
    return number > 5 ? 2 : number < 0 ? 3 : 4;
}
