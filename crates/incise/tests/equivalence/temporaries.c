// verdict: same
// entry: mixed
// kind: refactoring
// loops: none
// domain: int
// Temporary variables for parts of an expression.
int old_mixed(int a, int b, int c) {
    return (a * b + c) * (a * b - c) + (a * b + c);
}

int new_mixed(int a, int b, int c) {
    int product = a * b;
    int sum = product + c;
    int difference = product - c;
    int result = sum * difference;
    result += sum;
    return result;
}
