// verdict: differs
// entry: tenth
// kind: bug
// loops: none
// domain: float
// A tenth is not exact: multiplying is not dividing.
double old_tenth(double x) {
    return x / 10.0;
}

double new_tenth(double x) {
    return x * 0.1;
}
