// verdict: same-within-bounds
// entry: checksum
// kind: refactoring
// loops: other
// domain: int
// A loop of four rounds was unrolled.
unsigned char bytes[4];

unsigned old_checksum(unsigned start) {
    unsigned sum = start;
    for (int i = 0; i < 4; i++) {
        sum = sum * 31 + bytes[i];
    }
    return sum;
}

unsigned new_checksum(unsigned start) {
    unsigned sum = start;
    sum = sum * 31 + bytes[0];
    sum = sum * 31 + bytes[1];
    sum = sum * 31 + bytes[2];
    sum = sum * 31 + bytes[3];
    return sum;
}
