// verdict: same-within-bounds
// entry: bits
// kind: refactoring
// loops: other
// domain: int
// Counting bits: shifting, and clearing the lowest one that is set.
int old_bits(unsigned short x) {
    int count = 0;
    for (int i = 0; i < 16; i++) {
        count += x >> i & 1;
    }
    return count;
}

int new_bits(unsigned short x) {
    int count = 0;
    while (x) {
        x &= x - 1;
        count++;
    }
    return count;
}
