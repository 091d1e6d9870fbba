// verdict: differs
// entry: smaller
// kind: bug
// loops: none
// domain: float
// Not less is not greater or equal: not a number is neither.
int old_smaller(double a, double b) {
    return !(a >= b);
}

int new_smaller(double a, double b) {
    return a < b;
}
