// verdict: same
// entry: hypotenuse
// kind: refactoring
// loops: none
// domain: math
// The length of a vector; a square root of equal numbers.
#include <math.h>

double old_hypotenuse(double x, double y) {
    return sqrt(x * x + y * y);
}

double new_hypotenuse(double x, double y) {
    double xx = x * x, yy = y * y;
    double sum = yy + xx;
    return sqrt(sum);
}
