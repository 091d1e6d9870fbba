// verdict: same
// entry: deviation
// kind: refactoring
// loops: none
// domain: math
// fabs for a condition: also for zeros with a sign.
#include <math.h>

double old_deviation(double a, double b) {
    double difference = a - b;
    if (difference < 0.0) {
        difference = -difference;
    }
    return difference + 1.0;
}

double new_deviation(double a, double b) {
    return 1.0 + fabs(a - b);
}
