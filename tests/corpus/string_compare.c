// RUN: incise run %s
// EXPECT: paths=6 errors=0 complete=true exit=0
// strcmp and strncmp: the sign of the result, and where they stop.
#include "klee/klee.h"
#include <string.h>

int main(void) {
    char text[4];
    klee_make_symbolic(text, sizeof text, "text");
    text[3] = 0;
    int order = strcmp(text, "ab");
    if (order == 0) {
        return 1;
    }
    if (order < 0) {
        return 2;
    }
    return strncmp(text, "abc", 2) == 0 ? 3 : 4;
}
