// verdict: same-within-bounds
// entry: parity
// kind: refactoring
// loops: other
// domain: int
// takes: long
// A sum from the last element to the first.
unsigned old_parity(const unsigned *words, unsigned long count) {
    unsigned sum = 0;
    for (unsigned long i = 0; i < count; i++) {
        sum += words[i] ^ 5;
    }
    return sum;
}

unsigned new_parity(const unsigned *words, unsigned long count) {
    unsigned sum = 0;
    while (count-- > 0) {
        sum += words[count] ^ 5;
    }
    return sum;
}
