// verdict: same
// entry: lonely
// kind: refactoring
// loops: none
// domain: int
// Whether exactly one bit is set.
int old_lonely(unsigned x) {
    switch (x) {
    case 1u << 0: case 1u << 1: case 1u << 2: case 1u << 3: case 1u << 4: case 1u << 5: case 1u << 6: case 1u << 7:
    case 1u << 8: case 1u << 9: case 1u << 10: case 1u << 11: case 1u << 12: case 1u << 13: case 1u << 14: case 1u << 15:
    case 1u << 16: case 1u << 17: case 1u << 18: case 1u << 19: case 1u << 20: case 1u << 21: case 1u << 22: case 1u << 23:
    case 1u << 24: case 1u << 25: case 1u << 26: case 1u << 27: case 1u << 28: case 1u << 29: case 1u << 30: case 1u << 31:
        return 1;
    }
    return 0;
}

int new_lonely(unsigned x) {
    return x != 0 && (x & (x - 1)) == 0;
}
