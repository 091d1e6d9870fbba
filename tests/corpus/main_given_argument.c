// RUN: incise run %s --arg add --sym-args 1 1
// EXPECT: paths=3 errors=0 complete=true exit=0
// An argument that is given stands before the symbolic ones.
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[1], "add") != 0) {
        return 9; /* never */
    }
    if (argv[2][0] >= '0') {
        return argv[2][0] > '9' ? 2 : argv[2][0] - '0';
    }
    return 1;
}
