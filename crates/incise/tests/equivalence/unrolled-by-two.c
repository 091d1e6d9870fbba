// verdict: same-within-bounds
// entry: sum
// kind: refactoring
// loops: other
// domain: int
// Two rounds at once, and the odd one at the end.
int old_sum(unsigned char n, int step) {
    int sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += step ^ i;
    }
    return sum;
}

int new_sum(unsigned char n, int step) {
    int sum = 0;
    unsigned i = 0;
    for (; i + 1 < n; i += 2) {
        sum += step ^ i;
        sum += step ^ (i + 1);
    }
    if (i < n) {
        sum += step ^ i;
    }
    return sum;
}
