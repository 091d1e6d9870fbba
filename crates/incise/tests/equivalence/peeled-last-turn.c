// verdict: same
// entry: hash
// kind: refactoring
// loops: other
// domain: int
// The last turn is done behind the loop.
unsigned old_hash(const unsigned char *bytes, unsigned long count) {
    unsigned hash = 5381;
    for (unsigned long i = 0; i < count; i++) {
        hash = hash * 33 ^ bytes[i];
    }
    return hash;
}

unsigned new_hash(const unsigned char *bytes, unsigned long count) {
    unsigned hash = 5381;
    if (count == 0) {
        return hash;
    }
    unsigned long i = 0;
    for (; i + 1 < count; i++) {
        hash = hash * 33 ^ bytes[i];
    }
    return hash * 33 ^ bytes[i];
}
