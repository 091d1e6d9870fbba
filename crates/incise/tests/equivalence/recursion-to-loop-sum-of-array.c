// verdict: same
// entry: sum
// kind: refactoring
// loops: other
// domain: int
// What is added is read after the call: nothing is written meanwhile.
unsigned old_sum(const unsigned char *a, unsigned n) {
    if (n == 0)
        return 0;
    return old_sum(a, n - 1) + a[n - 1];
}

unsigned new_sum(const unsigned char *a, unsigned n) {
    unsigned all = 0;
    while (n > 0) {
        n--;
        all += a[n];
    }
    return all;
}
