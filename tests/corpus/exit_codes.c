// RUN: incise run %s
// EXPECT: paths=5 errors=0 complete=true exit=0
// The status of a process is the low byte of what main returns or exit gets.
#include "klee/klee.h"
#include <stdlib.h>

static void leave(int status) {
    if (status != 9) {
        exit(status);
    }
}

int main(void) {
    int choice;
    klee_make_symbolic(&choice, sizeof choice, "choice");
    switch (choice) {
    case 0: exit(EXIT_SUCCESS);
    case 1: exit(EXIT_FAILURE);
    case 2: leave(256 + 7); break;
    case 3: leave(9); break;
    default: return -1;
    }
    return 40;
}
