// verdict: differs
// entry: cube
// kind: bug
// loops: none
// domain: math
// Rounding twice is not rounding once: a power is not the product.
#include <math.h>

double old_cube(double x) {
    return x * x * x;
}

double new_cube(double x) {
    return pow(x, 3.0);
}
