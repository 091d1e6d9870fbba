// RUN: incise run %s --entry combine
// EXPECT: paths=3 errors=0 complete=true exit=0
// abs, labs, div and ldiv.
#include <stdlib.h>

int combine(int number) {
    if (number < -1000 || number > 1000) {
        return abs(-7) + (int)labs(-8L) + (int)llabs(9);
    }
    div_t parts = div(number, 10);
    ldiv_t wide = ldiv(-17, 5);
    return abs(parts.quot) * 100 + abs(parts.rem) + (int)(wide.quot * wide.rem);
}
