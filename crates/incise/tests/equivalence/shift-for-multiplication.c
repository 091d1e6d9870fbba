// verdict: same
// entry: scale
// kind: refactoring
// loops: none
// domain: int
// Strength reduction: shifts and sums for multiplications by constants.
unsigned old_scale(unsigned x, unsigned y) {
    return x * 10 + y * 8 + x * 7;
}

unsigned new_scale(unsigned x, unsigned y) {
    return (x << 3) + (x << 1) + (y << 3) + ((x << 3) - x);
}
