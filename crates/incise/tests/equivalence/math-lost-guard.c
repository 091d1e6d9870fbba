// verdict: differs
// entry: length
// kind: bug
// loops: none
// domain: math
// The square root of a negative number used to be caught.
#include <math.h>

double old_length(double x) {
    if (x < 0.0) {
        return 0.0;
    }
    return sqrt(x);
}

double new_length(double x) {
    return sqrt(x);
}
