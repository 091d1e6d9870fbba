// verdict: same-within-bounds
// entry: ninety
// kind: refactoring
// loops: other
// domain: int
// A nested recursion with a simple meaning, near its end.
static int nested(int n) {
    return n > 100 ? n - 10 : nested(nested(n + 11));
}

int old_ninety(int n) {
    if (n < 97 || n > 110) {
        return 0;
    }
    return nested(n);
}

int new_ninety(int n) {
    if (n < 97 || n > 110) {
        return 0;
    }
    return n > 100 ? n - 10 : 91;
}
