// verdict: same
// entry: mean
// kind: refactoring
// loops: none
// domain: float
// Small integers are exact in doubles: they can be added before or after.
double old_mean(unsigned char a, unsigned char b) {
    double sum = (double)a + (double)b;
    return sum / 2.0;
}

double new_mean(unsigned char a, unsigned char b) {
    int sum = b + a;
    return sum * 0.5;
}
