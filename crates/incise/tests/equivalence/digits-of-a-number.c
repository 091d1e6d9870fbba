// verdict: same-within-bounds
// entry: reversed
// kind: refactoring
// loops: other
// domain: int
// The digits of a number turned around, by a loop and by a recursion.
unsigned old_reversed(unsigned short x) {
    unsigned result = 0;
    while (x) {
        result = result * 10 + x % 10;
        x /= 10;
    }
    return result;
}

static unsigned push(unsigned x, unsigned result) {
    return x == 0 ? result : push(x / 10, result * 10 + x % 10);
}

unsigned new_reversed(unsigned short x) {
    return push(x, 0);
}
