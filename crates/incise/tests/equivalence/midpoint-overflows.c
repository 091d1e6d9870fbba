// verdict: differs
// entry: middle
// kind: bug
// loops: none
// domain: int
// The sum of two indices does not fit.
int old_middle(int low, int high) {
    if (low < 0 || high < low) {
        return -1;
    }
    return low + (high - low) / 2;
}

int new_middle(int low, int high) {
    if (low < 0 || high < low) {
        return -1;
    }
    return (low + high) / 2;
}
