// verdict: differs
// entry: hash
// kind: bug
// loops: none
// domain: int
// A digit of a constant.
unsigned old_hash(unsigned x) {
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    return x ^ x >> 13;
}

unsigned new_hash(unsigned x) {
    x ^= x >> 16;
    x *= 0x85ebca6du;
    return x ^ x >> 13;
}
