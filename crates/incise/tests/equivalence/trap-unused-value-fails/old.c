// verdict: differs
// entry: peek
// kind: bug
// loops: none
// domain: int
// Nothing depends on the value that changed, but reading it fails.
unsigned char limit, cells[4];

int peek(unsigned x) {
    int seen = 0;
    if (cells[x & 3] < limit) {
        seen = x & 1;
    }
    return (int)x;
}
