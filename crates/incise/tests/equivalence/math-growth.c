// verdict: same
// entry: growth
// kind: refactoring
// loops: none
// domain: math
// exp and pow in another order, both always called.
#include <math.h>

double old_growth(double rate, double years, double start) {
    double continuous = start * exp(rate * years);
    double yearly = start * pow(1.0 + rate, years);
    return continuous > yearly ? continuous : yearly;
}

double new_growth(double rate, double years, double start) {
    double yearly = pow(rate + 1.0, years) * start;
    double exponent = years * rate;
    double continuous = exp(exponent) * start;
    if (yearly < continuous) {
        return continuous;
    }
    return yearly;
}
