// verdict: differs
// entry: average
// kind: bug
// loops: none
// domain: int
// A divisor that can be zero now.
int old_average(int sum, unsigned char count) {
    if (count == 0) {
        return 0;
    }
    return sum / count;
}

int new_average(int sum, unsigned char count) {
    return sum / count;
}
