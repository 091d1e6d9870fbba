// verdict: differs
// entry: larger
// kind: bug
// loops: none
// domain: float
// Which of the two comes out when one is not a number.
double old_larger(double a, double b) {
    return a > b ? a : b;
}

double new_larger(double a, double b) {
    return b > a ? b : a;
}
