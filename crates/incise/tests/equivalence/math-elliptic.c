// verdict: same
// entry: elliptic
// kind: refactoring
// loops: lockstep
// domain: math
// The arithmetic-geometric mean, a given number of rounds.
#include <math.h>

double old_elliptic(double k, unsigned rounds) {
    double a = 1.0, g = sqrt(1.0 - k * k);
    for (unsigned i = 0; i < rounds; i++) {
        double mean = (a + g) / 2.0;
        g = sqrt(a * g);
        a = mean;
    }
    return 1.5707963267948966 / a;
}

double new_elliptic(double k, unsigned rounds) {
    double g = sqrt(1.0 - k * k);
    double a = 1.0;
    unsigned i = 0;
    while (i < rounds) {
        double product = g * a;
        a = (g + a) / 2.0;
        g = sqrt(product);
        ++i;
    }
    return 1.5707963267948966 / a;
}
