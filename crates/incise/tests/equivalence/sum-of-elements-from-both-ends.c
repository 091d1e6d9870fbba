// verdict: same-within-bounds
// entry: total
// kind: refactoring
// loops: other
// domain: int
// A sum of elements from the last to the first, by a pointer.
unsigned old_total(const unsigned char *data, unsigned long count) {
    unsigned sum = 7;
    for (unsigned long i = 0; i < count; i++) {
        sum += data[i] * 3;
    }
    return sum;
}

unsigned new_total(const unsigned char *data, unsigned long count) {
    unsigned sum = 7;
    const unsigned char *at = data + count;
    while (at != data) {
        at--;
        sum += *at + *at + *at;
    }
    return sum;
}
