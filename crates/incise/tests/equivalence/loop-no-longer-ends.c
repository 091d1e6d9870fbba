// verdict: differs
// entry: steps
// kind: bug
// loops: other
// domain: int
// An odd number never meets zero in steps of two.
int old_steps(unsigned char n) {
    int count = 0;
    unsigned char left = n;
    while (left > 1) {
        left -= 2;
        count++;
    }
    return count;
}

int new_steps(unsigned char n) {
    int count = 0;
    unsigned char left = n;
    while (left != 0) {
        left -= 2;
        count++;
    }
    return count;
}
