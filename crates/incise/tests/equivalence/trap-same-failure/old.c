// verdict: same
// entry: pick
// kind: refactoring
// loops: none
// domain: int
// Both versions fail on the same inputs, one of them earlier.
int pick(const int *at, int factor) {
    int scale = factor * 2;
    int value = *at;
    return value * scale;
}
