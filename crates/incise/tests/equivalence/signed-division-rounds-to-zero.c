// verdict: same
// entry: half
// kind: refactoring
// loops: none
// domain: int
// What a compiler makes of a signed division by a power of two.
int old_half(int x) {
    return x / 4;
}

int new_half(int x) {
    int bias = (x >> 31) & 3;
    return (x + bias) >> 2;
}
