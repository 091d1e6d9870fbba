// RUN: incise run %s --entry tally
// EXPECT: paths=7 errors=0 complete=true exit=0
// Parameters of every scalar type are symbolic.
#include <stdbool.h>
#include <stdint.h>

enum side { LEFT, RIGHT };

int tally(int8_t a, uint16_t b, int32_t c, uint64_t d, bool e, enum side f, float g, double h) {
    if (a == -128) {
        return 1;
    }
    if (b == 65535) {
        return 2;
    }
    if (c < 0) {
        return 3;
    }
    if (d > UINT64_MAX - 2) {
        return 4;
    }
    if (e && f == RIGHT) {
        return 5;
    }
    return g + h == 2.5 ? 6 : 7;
}
