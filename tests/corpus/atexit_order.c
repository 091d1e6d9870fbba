// RUN: incise run %s
// EXPECT: paths=3 errors=0 complete=true exit=0
// Functions given to atexit run in reverse order, at return and at exit, and not at _exit.
#include "klee/klee.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void first(void) { printf("first\n"); }

static void second(void) {
    printf("second\n");
    fflush(stdout);
}

int main(void) {
    int how;
    klee_make_symbolic(&how, sizeof how, "how");
    atexit(first);
    atexit(second);
    atexit(second);
    printf("main\n");
    fflush(stdout);
    if (how == 1) {
        exit(4);
    }
    if (how == 2) {
        _exit(5);
    }
    return 6;
}
