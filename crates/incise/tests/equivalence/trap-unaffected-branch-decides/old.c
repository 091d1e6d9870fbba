// verdict: differs
// entry: choose
// kind: bug
// loops: none
// domain: int
// What differs is seen only where a branch that has nothing to do with the change lets it through.
int choose(int x, int k) {
    int y = 0;
    if (x > 3) {
        y = 1;
    }
    return k == 2 ? y : 0;
}
