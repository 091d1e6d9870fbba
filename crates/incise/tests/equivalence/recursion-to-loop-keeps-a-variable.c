// verdict: differs
// entry: weight
// kind: bug
// loops: other
// domain: int
// Each call has a variable of its own, and the loop has one.
unsigned old_weight(unsigned n) {
    unsigned seen = 0;
    if (n == 0)
        return 0;
    seen = seen + n;
    return seen + old_weight(n - 1);
}

unsigned new_weight(unsigned n) {
    unsigned seen = 0, all = 0;
    while (n != 0) {
        seen = seen + n;
        all += seen;
        n--;
    }
    return all;
}
