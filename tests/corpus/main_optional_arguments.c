// RUN: incise run %s --sym-args 0..2 1 --sym-args 0..1 2
// EXPECT: paths=21 errors=0 complete=true exit=0
// Some arguments may be missing: argc and argv agree about it, and what follows moves up.
#include <stdio.h>

int main(int argc, char **argv) {
    int counted = 0;
    while (argv[counted]) {
        counted++;
    }
    if (counted != argc) {
        return 99;
    }
    for (int at = 1; at < argc; at++) {
        if (argv[at][0] == '+') {
            printf("plus at %d of %d\n", at, argc);
        }
    }
    return argc;
}
