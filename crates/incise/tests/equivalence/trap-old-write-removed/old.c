// verdict: differs
// entry: update
// kind: bug
// loops: none
// domain: int
// A write under an unaffected condition was removed: only the old version has the statement.
int state;

int update(int x, int quiet) {
    state = 0;
    if (!quiet) {
        state = x;
    }
    return x;
}
