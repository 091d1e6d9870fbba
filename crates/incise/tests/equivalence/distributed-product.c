// verdict: same
// entry: total
// kind: refactoring
// loops: none
// domain: int
// A common factor taken out; in wrapping arithmetic that is exact.
int old_total(unsigned char pieces, int net, int tax) {
    return pieces * net + pieces * tax;
}

int new_total(unsigned char pieces, int net, int tax) {
    return pieces * (net + tax);
}
