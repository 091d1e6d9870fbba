// verdict: differs
// entry: alternating
// kind: bug
// loops: other
// domain: int
// Differences cannot be taken in another order.
int old_alternating(unsigned n) {
    if (n == 0)
        return 0;
    return (int)n - old_alternating(n - 1);
}

int new_alternating(unsigned n) {
    int rest = 0;
    while (n != 0) {
        rest -= (int)n;
        n--;
    }
    return -rest;
}
