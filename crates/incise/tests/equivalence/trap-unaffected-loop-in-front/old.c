// verdict: differs
// entry: scan
// kind: bug
// loops: other
// domain: int
// A loop that has nothing to do with the change, and a difference that is seen after few rounds of it only.
int rounds;

int scan(unsigned n, int x) {
    unsigned i = 0;
    while (i < n) {
        i++;
        rounds++;
    }
    if (x == 9 && n == 2) {
        return 1;
    }
    return 0;
}
