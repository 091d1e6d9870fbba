// verdict: differs
// entry: visits
// kind: bug
// loops: other
// domain: int
// What is added is read after the call, which writes it: the loop reads it too early.
int count;

int old_visits(unsigned char n) {
    if (n == 0)
        return 0;
    count++;
    return old_visits(n - 1) + count;
}

int new_visits(unsigned char n) {
    int sum = 0;
    while (n != 0) {
        count++;
        sum += count;
        n--;
    }
    return sum;
}
