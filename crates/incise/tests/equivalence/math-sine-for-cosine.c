// verdict: differs
// entry: project
// kind: bug
// loops: none
// domain: math
// The wrong function.
#include <math.h>

double old_project(double length, double angle) {
    return length * cos(angle);
}

double new_project(double length, double angle) {
    return length * sin(angle);
}
