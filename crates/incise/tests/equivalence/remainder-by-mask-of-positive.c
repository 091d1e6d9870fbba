// verdict: same
// entry: slot
// kind: refactoring
// loops: none
// domain: int
// A signed remainder where the number is known not to be negative.
int old_slot(int hash) {
    if (hash < 0) {
        hash = ~hash;
    }
    return hash % 64;
}

int new_slot(int hash) {
    unsigned bits = (unsigned)(hash ^ hash >> 31);
    return bits & 63;
}
