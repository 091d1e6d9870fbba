// verdict: differs
// entry: mark
// kind: bug
// loops: none
// domain: int
// The element beside the right one is written.
char seen[16];

void old_mark(unsigned index) {
    seen[index % 16] = 1;
}

void new_mark(unsigned index) {
    seen[(index + 1) % 16] = 1;
}
