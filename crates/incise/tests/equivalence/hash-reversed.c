// verdict: differs
// entry: hash
// kind: bug
// loops: other
// domain: int
// The order matters where each element is multiplied with what came before.
unsigned old_hash(const unsigned char *data, unsigned long count) {
    unsigned hash = 7;
    for (unsigned long i = 0; i < count; i++) {
        hash = hash * 31 + data[i];
    }
    return hash;
}

unsigned new_hash(const unsigned char *data, unsigned long count) {
    unsigned hash = 7;
    while (count-- > 0) {
        hash = hash * 31 + data[count];
    }
    return hash;
}
