// verdict: same
// entry: bessel
// kind: refactoring
// loops: none
// domain: math
// A rational function near zero and an asymptotic one far away, in the style of numerical libraries.
#include <math.h>

double old_bessel(double x) {
    double ax, y, result;
    if ((ax = fabs(x)) < 8.0) {
        y = x * x;
        result = (57.5 + y * (-13.3 + y * (0.65 - y * 0.0112))) / (57.5 + y * (1.03 + y));
    } else {
        double z = 8.0 / ax;
        y = z * z;
        double phase = ax - 0.785398164;
        result = sqrt(0.636619772 / ax) * (cos(phase) * (1.0 - y * 0.0011) - z * sin(phase) * (-0.0156 + y * 0.00014));
    }
    return result;
}

static double near(double y) {
    double above = 57.5 + y * (-13.3 + y * (0.65 - y * 0.0112));
    double below = 57.5 + y * (1.03 + y);
    return above / below;
}

static double far(double ax) {
    double z = 8.0 / ax;
    double y = z * z;
    double phase = ax - 0.785398164;
    double p = 1.0 - 0.0011 * y, q = -0.0156 + 0.00014 * y;
    double scale = sqrt(0.636619772 / ax);
    return scale * (p * cos(phase) - z * sin(phase) * q);
}

double new_bessel(double x) {
    double ax = fabs(x);
    return ax < 8.0 ? near(x * x) : far(ax);
}
