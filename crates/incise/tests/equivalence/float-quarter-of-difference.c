// verdict: same
// entry: quarter
// kind: refactoring
// loops: none
// domain: float
// Division by a power of two at the end of a computation.
double old_quarter(double a, double b) {
    double difference = a - b;
    return difference / 4.0;
}

double new_quarter(double a, double b) {
    return 0.25 * (a - b);
}
