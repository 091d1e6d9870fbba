// verdict: differs
// entry: half
// kind: bug
// loops: none
// domain: int
// A shift rounds down, a division to zero.
int old_half(int x) {
    return x / 2;
}

int new_half(int x) {
    return x >> 1;
}
