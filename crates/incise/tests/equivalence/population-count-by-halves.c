// verdict: same
// entry: bits
// kind: refactoring
// loops: none
// domain: int
// Counting the bits of a byte: one by one, and in parallel.
int old_bits(unsigned char x) {
    int count = 0;
    count += x & 1;
    count += x >> 1 & 1;
    count += x >> 2 & 1;
    count += x >> 3 & 1;
    count += x >> 4 & 1;
    count += x >> 5 & 1;
    count += x >> 6 & 1;
    count += x >> 7 & 1;
    return count;
}

int new_bits(unsigned char x) {
    unsigned sum = x;
    sum = sum - (sum >> 1 & 0x55);
    sum = (sum & 0x33) + (sum >> 2 & 0x33);
    return (sum + (sum >> 4)) & 0x0f;
}
