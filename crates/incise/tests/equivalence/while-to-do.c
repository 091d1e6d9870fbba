// verdict: same
// entry: steps
// kind: refactoring
// loops: lockstep
// domain: int
// A do loop behind a guard.
int old_steps(unsigned x) {
    int count = 0;
    while (x > 0) {
        x >>= 1;
        count++;
    }
    return count;
}

int new_steps(unsigned x) {
    int count = 0;
    if (x != 0) {
        do {
            count += 1;
            x = x / 2;
        } while (x != 0);
    }
    return count;
}
