// verdict: same-within-bounds
// entry: root
// kind: refactoring
// loops: other
// domain: int
// The integer square root of a byte: by counting odd numbers, and bit by bit.
unsigned old_root(unsigned char x) {
    unsigned root = 0, odd = 1, rest = x;
    while (rest >= odd) {
        rest -= odd;
        odd += 2;
        root++;
    }
    return root;
}

unsigned new_root(unsigned char x) {
    unsigned root = 0;
    for (unsigned bit = 8; bit; bit >>= 1) {
        if ((root + bit) * (root + bit) <= x) {
            root += bit;
        }
    }
    return root;
}
