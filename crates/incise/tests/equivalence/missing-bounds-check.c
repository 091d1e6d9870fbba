// verdict: differs
// entry: read
// kind: bug
// loops: none
// domain: int
// The index is no longer checked against the end.
int cells[8];

int old_read(int index) {
    if (index < 0 || index >= 8) {
        return -1;
    }
    return cells[index];
}

int new_read(int index) {
    if (index < 0 || index > 8) {
        return -1;
    }
    return cells[index];
}
