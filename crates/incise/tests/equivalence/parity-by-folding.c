// verdict: same
// entry: parity
// kind: refactoring
// loops: none
// domain: int
// Whether a number of bits is odd.
int old_parity(unsigned x) {
    unsigned odd = 0;
    odd ^= x ^ x >> 1 ^ x >> 2 ^ x >> 3;
    odd ^= x >> 4 ^ x >> 5 ^ x >> 6 ^ x >> 7;
    return odd & 1;
}

int new_parity(unsigned x) {
    x &= 0xff;
    x ^= x >> 4;
    return 0x6996 >> (x & 15) & 1;
}
