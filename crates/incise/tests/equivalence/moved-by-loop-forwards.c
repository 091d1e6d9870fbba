// verdict: differs
// entry: insert
// kind: bug
// loops: other
// domain: int
// Elements that are moved up one by one from the front are all the first.
void old_insert(int *items, unsigned long count, unsigned long at, int value) {
    if (at > count) {
        return;
    }
    for (unsigned long i = count; i > at; i--) {
        items[i] = items[i - 1];
    }
    items[at] = value;
}

void new_insert(int *items, unsigned long count, unsigned long at, int value) {
    if (at > count) {
        return;
    }
    for (unsigned long i = at; i < count; i++) {
        items[i + 1] = items[i];
    }
    items[at] = value;
}
