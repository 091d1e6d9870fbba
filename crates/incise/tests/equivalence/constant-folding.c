// verdict: same
// entry: seconds
// kind: refactoring
// loops: none
// domain: int
// Constants computed by hand.
long old_seconds(int days, int hours) {
    long result = 0;
    result += (long)days * 24 * 60 * 60;
    result += (long)hours * 60 * 60;
    return result;
}

long new_seconds(int days, int hours) {
    return days * 86400L + hours * 3600L;
}
