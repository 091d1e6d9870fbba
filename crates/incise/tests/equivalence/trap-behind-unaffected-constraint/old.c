// verdict: differs
// entry: measure
// kind: bug
// loops: none
// domain: int
// An unaffected branch in front, of which a single side would hide the difference at x = 3.
int marks;

int measure(int x) {
    if (x > 5) {
        marks = 1;
    }
    return x == 4;
}
