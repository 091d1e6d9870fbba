// verdict: same
// entry: weight
// kind: refactoring
// loops: none
// domain: int
// Code without effect was removed.
int old_weight(int x, int y) {
    int unused = x * y;
    int result = x;
    if (x != x) {
        result = 17;
    }
    unused += result;
    result = result + y;
    if (unused > 3) {
        unused = 0;
    }
    return result;
}

int new_weight(int x, int y) {
    return x + y;
}
