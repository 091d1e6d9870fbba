// verdict: same
// entry: swapped
// kind: refactoring
// loops: none
// domain: int
// The bytes of a word turned around, by masks and by a pointer to its bytes.
unsigned old_swapped(unsigned x) {
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

unsigned new_swapped(unsigned x) {
    const unsigned char *bytes = (const unsigned char *)&x;
    return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}
