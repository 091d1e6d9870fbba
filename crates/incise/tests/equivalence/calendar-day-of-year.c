// verdict: same-within-bounds
// entry: day
// kind: refactoring
// loops: other
// domain: int
// The day of the year: by adding months, and from a table.
int old_day(unsigned month, unsigned day, int leap) {
    if (month < 1 || month > 12 || day < 1 || day > 31) {
        return 0;
    }
    int sum = (int)day;
    for (unsigned m = 1; m < month; m++) {
        if (m == 2) {
            sum += leap ? 29 : 28;
        } else if (m == 4 || m == 6 || m == 9 || m == 11) {
            sum += 30;
        } else {
            sum += 31;
        }
    }
    return sum;
}

int new_day(unsigned month, unsigned day, int leap) {
    static const short before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    if (month - 1 > 11 || day - 1 > 30) {
        return 0;
    }
    return before[month - 1] + (int)day + (leap && month > 2);
}
