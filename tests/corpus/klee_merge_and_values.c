// RUN: incise run %s
// EXPECT: paths=2 errors=0 complete=true exit=0
// Hints and questions that must not change what a program does.
#include "klee/klee.h"

int main(void) {
    int number;
    klee_make_symbolic(&number, sizeof number, "number");
    if (klee_is_replay()) {
        klee_warning("under replay");
    }
    klee_check_memory_access(&number, sizeof number);
    klee_open_merge();
    int result = 0;
    if (number > 1000) {
        result = 1;
    }
    klee_close_merge();
    return result;
}
