// verdict: same
// entry: cell
// kind: refactoring
// loops: none
// domain: math
// Truncation is floor where the number is not negative.
#include <math.h>

int old_cell(unsigned short x) {
    return (int)floor(x / 8.0);
}

int new_cell(unsigned short x) {
    return (int)(x / 8.0);
}
