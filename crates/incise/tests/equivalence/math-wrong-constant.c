// verdict: differs
// entry: decay
// kind: bug
// loops: none
// domain: math
// A digit of a constant.
#include <math.h>

double old_decay(double x) {
    return x < 0.0 ? 0.0 : exp(-0.25 * x);
}

double new_decay(double x) {
    return x < 0.0 ? 0.0 : exp(-0.35 * x);
}
