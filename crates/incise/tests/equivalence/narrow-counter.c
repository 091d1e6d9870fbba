// verdict: same
// entry: gray
// kind: refactoring
// loops: none
// domain: int
// A short for an int where only the low bits count.
unsigned short old_gray(unsigned x) {
    unsigned low = x & 0xffff;
    return (unsigned short)(low ^ low >> 1);
}

unsigned short new_gray(unsigned x) {
    unsigned short low = (unsigned short)x;
    low ^= low >> 1;
    return low;
}
