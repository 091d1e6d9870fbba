// verdict: same
// entry: pages
// kind: refactoring
// loops: none
// domain: int
// Unsigned division and remainder by powers of two.
unsigned old_pages(unsigned bytes, unsigned *rest) {
    if (rest) {
        *rest = bytes % 4096;
    }
    return bytes / 4096 + (bytes % 4096 != 0);
}

unsigned new_pages(unsigned bytes, unsigned *rest) {
    if (rest) {
        *rest = bytes & 4095;
    }
    return (bytes >> 12) + ((bytes & 4095) > 0);
}
