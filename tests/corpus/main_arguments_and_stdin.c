// RUN: incise run %s --sym-args 1 1 --sym-stdin 2
// EXPECT: paths=6 errors=0 complete=true exit=0
// A filter: an argument chooses what to count in the standard input.
#include <stdio.h>

int main(int argc, char **argv) {
    int wanted = argv[1][0] == 'a' ? 'a' : 'b';
    int count = 0, c;
    if (argc < 2) {
        return 9;
    }
    while ((c = getchar()) != EOF) {
        count += c == wanted;
    }
    if (count == 2) {
        printf("both\n");
        return 2;
    }
    return count == 1 && wanted == 'a' ? 1 : 0;
}
