// verdict: same
// entry: rotate
// kind: refactoring
// loops: none
// domain: math
// A sine and a cosine are computed once.
#include <math.h>

double x_after, y_after;

void old_rotate(double x, double y, double angle) {
    x_after = x * cos(angle) - y * sin(angle);
    y_after = x * sin(angle) + y * cos(angle);
}

void new_rotate(double x, double y, double angle) {
    double sine = sin(angle), cosine = cos(angle);
    x_after = cosine * x - sine * y;
    y_after = cosine * y + sine * x;
}
