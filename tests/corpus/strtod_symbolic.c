// RUN: incise run %s
// EXPECT: paths=3 errors=0 complete=true exit=0
// strtod of two symbolic digits: their value stays symbolic, through a conversion to double.
#include "klee/klee.h"
#include <stdlib.h>

int main(void) {
    char text[4] = "0.0";
    char digits[2];
    klee_make_symbolic(digits, sizeof digits, "digits");
    klee_assume((digits[0] >= '1') & (digits[0] <= '9'));
    klee_assume((digits[1] >= '0') & (digits[1] <= '9'));
    text[0] = digits[0];
    text[2] = digits[1];
    double value = strtod(text, NULL);
    if (value == 2.5) {
        return 1;
    }
    if (value > 9.8) {
        return 2;
    }
    return value < 1.05 ? 3 : 4;
}
