// RUN: incise run %s
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: abort at 12
// abort is an error; exit with a bad status is not.
#include "klee/klee.h"
#include <stdlib.h>

int main(void) {
    int level;
    klee_make_symbolic(&level, sizeof level, "level");
    if (level == 13) {
        abort(); // error: abort
    }
    if (level > 13) {
        exit(1);
    }
    return 0;
}
