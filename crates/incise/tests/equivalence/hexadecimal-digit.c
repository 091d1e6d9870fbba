// verdict: same
// entry: digit
// kind: refactoring
// loops: none
// domain: int
// The value of a hexadecimal digit.
int old_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

int new_digit(char c) {
    unsigned number = (unsigned)(c - '0');
    if (number < 10) {
        return (int)number;
    }
    unsigned letter = (unsigned)((c | 0x20) - 'a');
    return letter < 6 ? (int)letter + 10 : -1;
}
