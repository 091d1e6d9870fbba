// verdict: differs
// entry: span
// kind: bug
// loops: none
// domain: int
// The arguments of a call are the other way around.
static int difference(int from, int to) {
    return to - from;
}

int old_span(int start, int end) {
    return difference(start, end);
}

int new_span(int start, int end) {
    return difference(end, start);
}
