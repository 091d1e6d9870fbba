// verdict: same
// entry: kind
// kind: refactoring
// loops: none
// domain: int
// Disjoint guards in another order: the sides of a triangle.
int old_kind(unsigned short a, unsigned short b, unsigned short c) {
    if (a + b <= c || a + c <= b || b + c <= a) {
        return 0;
    }
    if (a == b && b == c) {
        return 3;
    }
    if (a == b || b == c || a == c) {
        return 2;
    }
    return 1;
}

int new_kind(unsigned short a, unsigned short b, unsigned short c) {
    if (b + c <= a || a + b <= c || c + a <= b) {
        return 0;
    }
    int pairs = (a == b) + (b == c) + (c == a);
    if (pairs == 3) {
        return 3;
    }
    return pairs == 1 ? 2 : 1;
}
