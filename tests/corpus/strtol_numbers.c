// RUN: incise run %s
// EXPECT: paths=3 errors=0 complete=true exit=0
// strtol on three symbolic characters: sign, digits, and where it stops.
#include "klee/klee.h"
#include <stdlib.h>

int main(void) {
    char text[4];
    char *end;
    klee_make_symbolic(text, sizeof text, "text");
    klee_assume(text[3] == 0);
    klee_assume((text[0] == '-') | ((text[0] >= '0') & (text[0] <= '9')));
    klee_assume((text[1] >= '0') & (text[1] <= '9'));
    klee_assume(text[2] == 0);
    long value = strtol(text, &end, 10);
    if (end - text != 2) {
        return 1; /* never */
    }
    if (value < 0) {
        return 2;
    }
    return value > 42 ? 3 : 4;
}
