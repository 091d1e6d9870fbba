// verdict: same
// entry: larger
// kind: refactoring
// loops: none
// domain: float
// Comparisons the other way around; not a number comes out the same.
double old_larger(double a, double b) {
    if (a < b) {
        return b;
    }
    return a;
}

double new_larger(double a, double b) {
    return b > a ? b : a;
}
