// verdict: differs
// entry: add
// kind: bug
// loops: none
// domain: int
// The sum is no longer kept below the limit.
int old_add(int a, int b) {
    if (b > 0 && a > 2147483647 - b) {
        return 2147483647;
    }
    return (int)((unsigned)a + (unsigned)b);
}

int new_add(int a, int b) {
    return (int)((unsigned)a + (unsigned)b);
}
