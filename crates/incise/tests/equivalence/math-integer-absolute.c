// verdict: differs
// entry: deviation
// kind: bug
// loops: none
// domain: math
// abs of a double is an abs of the integer part.
#include <math.h>
#include <stdlib.h>

double old_deviation(short a, double b) {
    if (!(b > -100.0 && b < 100.0)) {
        return 0.0;
    }
    return fabs(a - b);
}

double new_deviation(short a, double b) {
    if (!(b > -100.0 && b < 100.0)) {
        return 0.0;
    }
    return abs((int)(a - b));
}
