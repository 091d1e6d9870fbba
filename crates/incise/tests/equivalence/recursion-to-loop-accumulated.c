// verdict: same
// entry: power
// kind: refactoring
// loops: other
// domain: int
// A recursive function that hands on what it has so far, as a loop.
static unsigned old_step(unsigned base, unsigned exponent, unsigned so_far) {
    if (exponent == 0) {
        return so_far;
    }
    if (exponent & 1) {
        return old_step(base * base, exponent / 2, so_far * base);
    }
    return old_step(base * base, exponent / 2, so_far);
}

unsigned old_power(unsigned base, unsigned exponent) {
    return old_step(base, exponent, 1);
}

unsigned new_power(unsigned base, unsigned exponent) {
    unsigned result = 1;
    while (exponent) {
        if (exponent % 2) {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    return result;
}
