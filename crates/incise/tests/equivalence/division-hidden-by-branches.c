// verdict: differs
// entry: share
// kind: bug
// loops: none
// domain: int
// The new division is in front of branches that have nothing to do with it, and its result is not used for most inputs.
int notes;

int old_share(int total, int guests, int mode) {
    int each = guests > 0 ? total / guests : 0;
    if (mode > 3) {
        notes++;
    }
    if (mode == 7) {
        return each;
    }
    return 0;
}

int new_share(int total, int guests, int mode) {
    int each = guests >= 0 ? total / guests : 0;
    if (mode > 3) {
        notes++;
    }
    if (mode == 7) {
        return each;
    }
    return 0;
}
