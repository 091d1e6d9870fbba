// verdict: same
// entry: days
// kind: refactoring
// loops: none
// domain: int
// A chain of conditions became a switch.
int old_days(int month, int leap) {
    if (month == 2) {
        if (leap) {
            return 29;
        }
        return 28;
    }
    if (month == 4 || month == 6 || month == 9 || month == 11) {
        return 30;
    }
    if (month >= 1 && month <= 12) {
        return 31;
    }
    return -1;
}

int new_days(int month, int leap) {
    switch (month) {
    case 2:
        return leap ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    case 1:
    case 3:
    case 5:
    case 7:
    case 8:
    case 10:
    case 12:
        return 31;
    default:
        return -1;
    }
}
