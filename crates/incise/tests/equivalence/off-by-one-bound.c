// verdict: differs
// entry: inside
// kind: bug
// loops: none
// domain: int
// The upper bound is no longer inside.
int old_inside(int x, int size) {
    return x >= 0 && x <= size;
}

int new_inside(int x, int size) {
    return x >= 0 && x < size;
}
