// verdict: same
// entry: gcd
// kind: refactoring
// loops: other
// domain: int
// A function that calls itself last, and a loop; remainders are what a solver is slow at.
unsigned old_gcd(unsigned a, unsigned b) {
    if (b == 0)
        return a;
    return old_gcd(b, a % b);
}

unsigned new_gcd(unsigned a, unsigned b) {
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
