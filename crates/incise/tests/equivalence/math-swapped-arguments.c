// verdict: differs
// entry: direction
// kind: bug
// loops: none
// domain: math
// atan2 takes y first.
#include <math.h>

double old_direction(double x, double y) {
    return atan2(y, x);
}

double new_direction(double x, double y) {
    return atan2(x, y);
}
