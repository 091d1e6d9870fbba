// verdict: same-within-bounds
// entry: fibonacci
// kind: refactoring
// loops: other
// domain: int
// Two recursive calls, and a loop with two variables.
unsigned old_fibonacci(unsigned n) {
    if (n > 8) {
        return 0;
    }
    return n < 2 ? n : old_fibonacci(n - 1) + old_fibonacci(n - 2);
}

unsigned new_fibonacci(unsigned n) {
    unsigned a = 0, b = 1;
    if (n > 8) {
        return 0;
    }
    while (n-- > 0) {
        unsigned sum = a + b;
        a = b;
        b = sum;
    }
    return a;
}
