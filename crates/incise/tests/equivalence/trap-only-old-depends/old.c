// verdict: differs
// entry: set
// kind: bug
// loops: none
// domain: int
// In the new version nothing depends on b any more, but the difference does.
int set(int b, int c) {
    int a = b;
    if (c > 0) {
        a = a + c;
    }
    return a;
}
