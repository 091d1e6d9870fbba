// verdict: same
// entry: logarithm
// kind: refactoring
// loops: none
// domain: math
// A call behind a guard, with the guard turned around.
#include <math.h>

double old_logarithm(double x) {
    if (!(x > 0.0)) {
        return 0.0;
    }
    return log(x) + 1.0;
}

double new_logarithm(double x) {
    double result = 0.0;
    if (x > 0.0) {
        result = 1.0 + log(x);
    }
    return result;
}
