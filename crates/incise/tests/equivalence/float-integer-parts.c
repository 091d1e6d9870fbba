// verdict: same
// entry: mean
// kind: refactoring
// loops: none
// domain: float
// Small integers are exact in doubles, in any order.
double old_mean(unsigned char a, unsigned char b, unsigned char c) {
    double sum = (double)a + b;
    sum += c;
    return sum / 3.0;
}

double new_mean(unsigned char a, unsigned char b, unsigned char c) {
    int sum = c + b + a;
    return (double)sum / 3.0;
}
