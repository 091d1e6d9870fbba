// verdict: differs
// entry: divide
// kind: bug
// loops: none
// domain: int
// options: --no-null
// What is written through a pointer parameter differs, the result does not.
unsigned old_divide(unsigned a, unsigned char b, unsigned *rest) {
    *rest = a % (b + 1u);
    return a / (b + 1u);
}

unsigned new_divide(unsigned a, unsigned char b, unsigned *rest) {
    *rest = a & b;
    return a / (b + 1u);
}
