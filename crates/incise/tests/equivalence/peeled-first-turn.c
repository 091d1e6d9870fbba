// verdict: same
// entry: largest
// kind: refactoring
// loops: other
// domain: int
// The first element is where a search for the largest begins.
unsigned old_largest(const unsigned *values, unsigned long count) {
    unsigned largest = 0;
    for (unsigned long i = 0; i < count; i++) {
        if (values[i] > largest) {
            largest = values[i];
        }
    }
    return largest;
}

unsigned new_largest(const unsigned *values, unsigned long count) {
    if (count == 0) {
        return 0;
    }
    unsigned largest = values[0];
    for (unsigned long i = 1; i < count; i++) {
        if (values[i] > largest) {
            largest = values[i];
        }
    }
    return largest;
}
