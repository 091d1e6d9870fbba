// RUN: incise run %s
// EXPECT: paths=5 errors=0 complete=true exit=0
// A symbolic number in formatted output: the paths fork on its sign and on how many digits it has.
#include "klee/klee.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[16];
    int number = klee_range(-9, 1000, "number");
    int length = snprintf(buffer, sizeof buffer, "<%d>", number);
    return length * 10 + (int)strlen(buffer);
}
