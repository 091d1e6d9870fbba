// RUN: incise run %s --entry special
// EXPECT: paths=5 errors=0 complete=true exit=0
// Infinities, negative zero, NaN and subnormals, made concretely after a symbolic choice.
#include <float.h>
#include <math.h>
#include <string.h>

int special(unsigned char which) {
    double zero = 0.0, huge = DBL_MAX, tiny = DBL_MIN;
    volatile double value = 1.0;
    switch (which) {
    case 0: value = huge * 2; break;
    case 1: value = -zero; break;
    case 2: value = (huge * 2) - (huge * 2); break;
    case 3: value = tiny / 4; break;
    }
    unsigned long bits;
    double copy = value;
    memcpy(&bits, &copy, sizeof bits);
    int result = (isnan(copy) ? 1 : 0) + (isinf(copy) ? 2 : 0) + (copy == 0 ? 4 : 0);
    return which == 2 ? result : result * 100 + (int)(bits >> 60);
}
