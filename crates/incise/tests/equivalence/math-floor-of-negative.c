// verdict: differs
// entry: cell
// kind: bug
// loops: none
// domain: math
// Truncation is not floor below zero.
#include <math.h>

int old_cell(short x) {
    return (int)floor(x / 8.0);
}

int new_cell(short x) {
    return (int)(x / 8.0);
}
