// verdict: same
// entry: wave
// kind: refactoring
// loops: lockstep
// domain: math
// A sum of sines with a symbolic number of terms.
#include <math.h>

double old_wave(double x, int n) {
    double sum = 0.0;
    for (int k = 1; k <= n; k++) {
        sum += sin(k * x) / k;
    }
    return sum;
}

double new_wave(double x, int n) {
    double sum = 0.0;
    int k = 1;
    while (k <= n) {
        double term = sin(x * k);
        sum = term / k + sum;
        k++;
    }
    return sum;
}
