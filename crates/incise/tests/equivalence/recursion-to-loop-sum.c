// verdict: same
// entry: sum
// kind: refactoring
// loops: other
// domain: int
// A recursive sum as a loop, from the other end.
unsigned old_sum(unsigned n, unsigned x) {
    if (n == 0) {
        return x;
    }
    return (n ^ x) + old_sum(n - 1, x);
}

unsigned new_sum(unsigned n, unsigned x) {
    unsigned sum = x;
    for (unsigned i = 1; i <= n; i++) {
        sum += i ^ x;
        if (i == n) {
            break;
        }
    }
    return sum;
}
