// verdict: differs
// entry: size
// kind: bug
// loops: none
// domain: int
// The smallest number has no absolute value.
unsigned old_size(int x) {
    return x < 0 ? 0u - (unsigned)x : (unsigned)x;
}

unsigned new_size(int x) {
    int size = x < 0 ? -x : x;
    return size < 0 ? 0 : (unsigned)size;
}
