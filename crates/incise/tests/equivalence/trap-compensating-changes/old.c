// verdict: same
// entry: total
// kind: refactoring
// loops: none
// domain: int
// Two changes that undo each other.
int shifted(int x) {
    return x + 1;
}

int total(int x, int y) {
    int result = shifted(x) + y;
    return result * 2;
}
