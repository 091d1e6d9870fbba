// verdict: same
// entry: sign
// kind: refactoring
// loops: none
// domain: int
// -1, 0 or 1.
int old_sign(int x) {
    if (x > 0) {
        return 1;
    } else if (x < 0) {
        return -1;
    }
    return 0;
}

int new_sign(int x) {
    return (x > 0) - (x < 0);
}
