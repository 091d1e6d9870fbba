// verdict: differs
// entry: slot
// kind: bug
// loops: none
// domain: int
// The remainder of a negative number is negative.
int old_slot(int key) {
    int slot = key % 8;
    return slot < 0 ? slot + 8 : slot;
}

int new_slot(int key) {
    return key % 8;
}
