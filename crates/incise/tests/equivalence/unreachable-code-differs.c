// verdict: same
// entry: state
// kind: refactoring
// loops: none
// domain: int
// The versions differ where no input leads.
int old_state(int x) {
    if (x > 10) {
        if (x < 5) {
            return x / 0x7;
        }
        return 2;
    }
    if ((x & 1) == 2) {
        return -1;
    }
    return 1;
}

int new_state(int x) {
    if (x > 10) {
        if (x < 5) {
            return x * 9;
        }
        return 2;
    }
    if ((x & 1) == 2) {
        return -2;
    }
    return 1;
}
