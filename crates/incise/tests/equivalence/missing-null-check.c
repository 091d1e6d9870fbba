// verdict: differs
// entry: value
// kind: bug
// loops: none
// domain: int
// Null used to be answered; now it is read through.
int old_value(const int *p) {
    if (!p) {
        return 0;
    }
    return *p + 1;
}

int new_value(const int *p) {
    return *p + 1;
}
