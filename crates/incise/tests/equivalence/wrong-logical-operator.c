// verdict: differs
// entry: valid
// kind: bug
// loops: none
// domain: int
// An or for an and in a condition.
int old_valid(int hour, int minute) {
    if (hour >= 0 && hour < 24 && minute >= 0 && minute < 60) {
        return hour * 60 + minute;
    }
    return -1;
}

int new_valid(int hour, int minute) {
    if (hour >= 0 && hour < 24 && (minute >= 0 || minute < 60)) {
        return hour * 60 + minute;
    }
    return -1;
}
