// RUN: incise run %s --sym-args 1 2
// EXPECT: paths=4 errors=0 complete=true exit=0
// main with one symbolic argument of at most two bytes.
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 2) {
        return 9; /* never */
    }
    if (argv[1][0] == '-') {
        if (argv[1][1] == 'h') {
            printf("usage\n");
            return 0;
        }
        return 2;
    }
    if (argv[1][0] == 0) {
        return 3;
    }
    return argv[2] == 0 && argv[1][1] == 0 ? 4 : 5;
}
