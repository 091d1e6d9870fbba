// verdict: differs
// entry: byte
// kind: bug
// loops: none
// domain: int
// A char with its sign.
int old_byte(unsigned word) {
    unsigned char low = word;
    return low;
}

int new_byte(unsigned word) {
    signed char low = word;
    return low;
}
