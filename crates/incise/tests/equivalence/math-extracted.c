// verdict: same
// entry: bearing
// kind: refactoring
// loops: none
// domain: math
// An angle of a direction, with the turn in a function of its own.
#include <math.h>

double old_bearing(double dx, double dy) {
    double angle = atan2(dy, dx);
    if (angle < 0.0) {
        angle += 6.283185307179586;
    }
    return angle;
}

static double positive(double angle) {
    return angle < 0.0 ? angle + 6.283185307179586 : angle;
}

double new_bearing(double dx, double dy) {
    return positive(atan2(dy, dx));
}
