// verdict: differs
// entry: sum
// kind: bug
// loops: lockstep
// domain: int
// The loop does one round more.
int old_sum(int n) {
    int sum = 0;
    for (int i = 1; i < n; i++) {
        sum += i;
    }
    return sum;
}

int new_sum(int n) {
    int sum = 0;
    for (int i = 1; i <= n; i++) {
        sum += i;
    }
    return sum;
}
