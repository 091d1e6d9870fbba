// verdict: differs
// entry: leap
// kind: bug
// loops: none
// domain: int
// Centuries were forgotten.
int old_leap(unsigned short year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int new_leap(unsigned short year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 200 == 0);
}
