// RUN: incise run %s --entry rounded
// EXPECT: paths=3 errors=0 complete=true exit=0
// RUN: incise run %s --entry roots
// EXPECT: paths=3 errors=0 complete=true exit=0
// RUN: incise run %s --entry parts
// EXPECT: paths=4 errors=0 complete=true exit=0
// Functions of math.h that IEEE 754 defines exactly, of symbolic arguments.
#include <math.h>

int rounded(double x) {
    if (floor(x) != ceil(x) && round(x) > trunc(x) && x > 0) {
        return rint(x) == round(x) ? 1 : 2;
    }
    return lround(x) == 7 ? 3 : 0;
}

int roots(float x) {
    if (sqrtf(x) == 3.0f) {
        return 1;
    }
    if (isnan(sqrtf(x))) {
        return x < 0 ? 2 : 3;
    }
    return 0;
}

int parts(double x, double y) {
    if (fdim(x, y) > 2.0) {
        return 1;
    }
    if (fmin(x, y) == fmax(x, y)) {
        return signbit(x) != signbit(y) ? 2 : 3;
    }
    if (fabs(copysign(x, y)) < 1.0) {
        return 4;
    }
    return 0;
}
