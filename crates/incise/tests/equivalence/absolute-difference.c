// verdict: same
// entry: apart
// kind: refactoring
// loops: none
// domain: int
// The distance of two numbers of 16 bits.
unsigned old_apart(unsigned short a, unsigned short b) {
    int difference = a - b;
    return difference < 0 ? -difference : difference;
}

unsigned new_apart(unsigned short a, unsigned short b) {
    unsigned larger = a > b ? a : b;
    unsigned smaller = a > b ? b : a;
    return larger - smaller;
}
