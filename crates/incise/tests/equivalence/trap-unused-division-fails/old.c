// verdict: differs
// entry: peek
// kind: bug
// loops: none
// domain: int
// Nothing depends on the quotient, but dividing fails for one input.
int calls;

int peek(int x, int y) {
    int part = 0;
    calls++;
    if (y > 2) {
        part = x;
    }
    return y;
}
