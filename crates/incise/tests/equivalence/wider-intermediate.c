// verdict: same
// entry: blend
// kind: refactoring
// loops: none
// domain: int
// An intermediate result in 64 bits that fits in 32.
unsigned char old_blend(unsigned char a, unsigned char b, unsigned char weight) {
    int sum = a * weight + b * (255 - weight);
    return (unsigned char)((sum + 127) / 255);
}

unsigned char new_blend(unsigned char a, unsigned char b, unsigned char weight) {
    unsigned long sum = (unsigned long)a * weight;
    sum += (unsigned long)b * (255u - weight);
    return (unsigned char)((sum + 127) / 255);
}
