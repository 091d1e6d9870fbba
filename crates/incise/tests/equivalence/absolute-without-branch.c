// verdict: same
// entry: absolute
// kind: refactoring
// loops: none
// domain: int
// The absolute value without a branch.
int old_absolute(int x) {
    if (x < 0) {
        return -x;
    }
    return x;
}

int new_absolute(int x) {
    int mask = x >> 31;
    return (x ^ mask) - mask;
}
