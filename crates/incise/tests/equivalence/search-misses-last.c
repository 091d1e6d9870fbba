// verdict: differs
// entry: find
// kind: bug
// loops: other
// domain: int
// The last element is not looked at.
int values[4];

int old_find(int wanted) {
    for (int i = 0; i < 4; i++) {
        if (values[i] == wanted) {
            return i;
        }
    }
    return -1;
}

int new_find(int wanted) {
    for (int i = 0; i < 3; i++) {
        if (values[i] == wanted) {
            return i;
        }
    }
    return -1;
}
