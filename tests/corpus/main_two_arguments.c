// RUN: incise run %s --sym-args 2 1
// EXPECT: paths=4 errors=0 complete=true exit=0
// Two symbolic arguments, compared with each other and with a word.
#include <string.h>

int main(int argc, char **argv) {
    int result = argc;
    if (strcmp(argv[1], "x") == 0) {
        result += 10;
    }
    if (argv[1][0] == argv[2][0]) {
        result += 20;
    }
    return result;
}
