// verdict: same
// entry: fill
// kind: refactoring
// loops: lockstep
// domain: int
// A loop that counts in a global.
int total, rounds;

void old_fill(int n, int amount) {
    for (int i = 0; i < n; i++) {
        total += amount;
        rounds++;
    }
}

void new_fill(int n, int amount) {
    int i = 0;
    while (i < n) {
        rounds = rounds + 1;
        total = amount + total;
        i++;
    }
}
