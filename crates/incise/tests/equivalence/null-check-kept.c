// verdict: same
// entry: value
// kind: refactoring
// loops: none
// domain: int
// The test of a pointer turned around: null is still answered.
int old_value(const int *p, int otherwise) {
    if (p != 0 && *p > 0) {
        return *p;
    }
    return otherwise;
}

int new_value(const int *p, int otherwise) {
    if (!p) {
        return otherwise;
    }
    int value = *p;
    return value <= 0 ? otherwise : value;
}
