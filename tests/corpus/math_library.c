// RUN: incise run %s --entry heading
// EXPECT: paths=4 errors=0 complete=true exit=0
// RUN: incise run %s --entry grows
// EXPECT: paths=3 errors=0 complete=true exit=0
// RUN: incise run %s --entry together
// EXPECT: paths=5 errors=0 complete=true exit=0
// Functions that only the C library can compute, of symbolic arguments.
#include <math.h>

int heading(double x, double y) {
    double angle = atan2(y, x);
    if (angle > 1.0 && angle < 1.25) {
        return 1;
    }
    if (sin(angle) > 2.0) {
        return 2; /* impossible */
    }
    if (isnan(angle)) {
        return isnan(x) ? 3 : 4;
    }
    return 0;
}

int grows(double rate, float years) {
    double factor = exp(rate);
    float decay = expf(-years);
    if (factor < 0.0) {
        return -1; /* impossible */
    }
    if (factor > 2.0 && factor < 2.5) {
        return decay < 0.125f ? 1 : 2;
    }
    return 0;
}

int together(double a, double b) {
    double power = pow(a, 2.0);
    if (a == b) {
        return sin(a) * 2.0 != sin(b) + sin(b) ? 1 : 2; /* 1 is for infinities, whose sine is not a number */
    }
    if (power > 4.0 && power < 9.0 && cos(b) < 0.5) {
        return 3;
    }
    return log10(1000.0) == 3.0 ? 4 : 5;
}
