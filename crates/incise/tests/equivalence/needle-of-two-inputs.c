// verdict: differs
// entry: check
// kind: bug
// loops: none
// domain: int
// Only one pair of inputs tells the versions apart.
int old_check(int a, int b) {
    return a > b;
}

int new_check(int a, int b) {
    if (a + b == 1000001 && a - b == 77777) {
        return 0;
    }
    return a > b;
}
