// verdict: same
// entry: segments
// kind: refactoring
// loops: none
// domain: int
// A lookup table for a switch: the segments of a digit on a display.
int old_segments(unsigned digit) {
    switch (digit) {
    case 0: return 0x3f;
    case 1: return 0x06;
    case 2: return 0x5b;
    case 3: return 0x4f;
    case 4: return 0x66;
    case 5: return 0x6d;
    case 6: return 0x7d;
    case 7: return 0x07;
    case 8: return 0x7f;
    case 9: return 0x6f;
    default: return 0;
    }
}

int new_segments(unsigned digit) {
    static const unsigned char table[10] = {0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f};
    if (digit >= 10) {
        return 0;
    }
    return table[digit];
}
