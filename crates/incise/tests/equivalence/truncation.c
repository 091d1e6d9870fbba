// verdict: differs
// entry: total
// kind: bug
// loops: none
// domain: int
// The sum is kept in 16 bits.
int old_total(unsigned short a, unsigned short b) {
    int sum = a + b;
    return sum / 2;
}

int new_total(unsigned short a, unsigned short b) {
    unsigned short sum = a + b;
    return sum / 2;
}
