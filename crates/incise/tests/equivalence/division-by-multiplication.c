// verdict: same
// entry: tenth
// kind: refactoring
// loops: none
// domain: int
// Division of 16 bits by ten as a multiplication by the inverse.
unsigned old_tenth(unsigned short x) {
    return x / 10;
}

unsigned new_tenth(unsigned short x) {
    return x * 0xcccdu >> 19;
}
