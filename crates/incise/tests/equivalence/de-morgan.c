// verdict: same
// entry: outside
// kind: refactoring
// loops: none
// domain: int
// A condition turned around.
int old_outside(int x, int low, int high) {
    if (!(x >= low && x <= high)) {
        return 1;
    }
    return 0;
}

int new_outside(int x, int low, int high) {
    return x < low || high < x;
}
