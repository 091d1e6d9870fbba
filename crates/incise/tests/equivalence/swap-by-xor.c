// verdict: same
// entry: order
// kind: refactoring
// loops: none
// domain: int
// Two objects exchanged without a temporary.
int first, second;

void old_order(void) {
    if (first > second) {
        int kept = first;
        first = second;
        second = kept;
    }
}

void new_order(void) {
    if (first > second) {
        first ^= second;
        second ^= first;
        first ^= second;
    }
}
