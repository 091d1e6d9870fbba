// RUN: incise run %s
// EXPECT: paths=6 errors=0 complete=true exit=0
// atoi of a symbolic digit after a symbolic first character.
#include "klee/klee.h"
#include <stdlib.h>

int main(void) {
    char text[3];
    klee_make_symbolic(text, sizeof text, "text");
    klee_assume(text[2] == 0);
    klee_assume((text[1] >= '0') & (text[1] <= '9'));
    klee_assume((text[0] == ' ') | (text[0] == '-') | (text[0] == '+') | (text[0] == 'x'));
    int value = atoi(text);
    return value == 5 ? 1 : value == -5 ? 2 : 0;
}
