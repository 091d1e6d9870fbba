// RUN: incise run %s
// EXPECT: paths=4 errors=0 complete=true exit=0
// The ways of making inputs in KLEE's convention: objects on the stack and heap, ranges, and ints.
#include "klee/klee.h"
#include <stdlib.h>

struct config {
    unsigned char level;
    short value;
};

int main(void) {
    struct config config;
    klee_make_symbolic(&config, sizeof config, "config");
    int choice = klee_range(0, 3, "choice");
    int extra = klee_int("extra");
    unsigned *block = malloc(2 * sizeof *block);
    klee_make_symbolic(block, 2 * sizeof *block, "block");
    int result = 0;
    if (choice == 2) {
        result = config.level > 100 ? 1 : 2;
    } else if (choice > 2) {
        result = 3; /* never */
    } else if (extra == -5) {
        result = 4;
    } else if (block[1] == 7) {
        result = 5;
    }
    free(block);
    return result;
}
