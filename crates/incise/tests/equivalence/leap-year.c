// verdict: same
// entry: leap
// kind: refactoring
// loops: none
// domain: int
// The rule for leap years, nested and as one condition.
int old_leap(unsigned short year) {
    if (year % 400 == 0) {
        return 1;
    }
    if (year % 100 == 0) {
        return 0;
    }
    return year % 4 == 0;
}

int new_leap(unsigned short year) {
    return (year & 3) == 0 && (year % 25 != 0 || (year & 15) == 0);
}
