// verdict: same
// entry: ceiling
// kind: refactoring
// loops: none
// domain: int
// The next power of two of a small number: by comparing, and by smearing bits.
unsigned old_ceiling(unsigned x) {
    if (x <= 1) return 1;
    if (x <= 2) return 2;
    if (x <= 4) return 4;
    if (x <= 8) return 8;
    if (x <= 16) return 16;
    if (x <= 32) return 32;
    if (x <= 64) return 64;
    if (x <= 128) return 128;
    return 256;
}

unsigned new_ceiling(unsigned x) {
    if (x > 256) {
        x = 256;
    }
    x = x == 0 ? 0 : x - 1;
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    return x + 1;
}
