// verdict: same-within-bounds
// entry: find
// kind: refactoring
// loops: other
// domain: int
// Searching from the front: with a flag, and with a return inside the loop.
int values[5];

int old_find(int wanted) {
    int found = -1, done = 0;
    for (int i = 0; i < 5 && !done; i++) {
        if (values[i] == wanted) {
            found = i;
            done = 1;
        }
    }
    return found;
}

int new_find(int wanted) {
    const int *end = values + 5;
    for (const int *at = values; at != end; at++) {
        if (*at == wanted) {
            return (int)(at - values);
        }
    }
    return -1;
}
