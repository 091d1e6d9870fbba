// verdict: same
// entry: series
// kind: refactoring
// loops: lockstep
// domain: int
// Two accumulators; the statements of the body are in another order.
int old_series(int n, int a, int b) {
    int odd = a, even = b;
    for (int i = 0; i < n; i++) {
        if (i & 1) {
            odd += i * a;
        } else {
            even -= i + b;
        }
    }
    return odd ^ even;
}

int new_series(int n, int a, int b) {
    int even = b, odd = a;
    for (int i = 0; n > i; i = i + 1) {
        if (i % 2 == 0) {
            even = even - b - i;
        } else {
            odd = odd + a * i;
        }
    }
    return even ^ odd;
}
