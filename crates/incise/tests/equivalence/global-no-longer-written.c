// verdict: differs
// entry: record
// kind: bug
// loops: none
// domain: int
// The result is the same, but something is no longer noted.
int last, count;

int old_record(int value) {
    count++;
    last = value;
    return value > 0;
}

int new_record(int value) {
    count++;
    return value > 0;
}
