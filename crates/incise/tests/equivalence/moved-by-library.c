// verdict: same-within-bounds
// entry: insert
// kind: refactoring
// loops: other
// domain: int
// takes: long
// A loop that moves elements up is a call of memmove.
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
    __builtin_memmove(items + at + 1, items + at, (count - at) * sizeof *items);
    items[at] = value;
}
