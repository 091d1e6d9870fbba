// verdict: same
// entry: power
// kind: refactoring
// loops: other
// domain: int
// Products are multiplied in another order.
unsigned old_power(unsigned base, unsigned exponent) {
    if (exponent == 0)
        return 1;
    return base * old_power(base, exponent - 1);
}

unsigned new_power(unsigned base, unsigned exponent) {
    unsigned result = 1;
    for (unsigned i = 0; i < exponent; i++)
        result *= base;
    return result;
}
