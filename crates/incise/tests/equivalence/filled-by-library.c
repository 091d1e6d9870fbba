// verdict: same-within-bounds
// entry: pad
// kind: refactoring
// loops: other
// domain: int
// takes: long
// A loop that fills is a call of memset.
void old_pad(unsigned char *to, unsigned long used, unsigned long room) {
    for (unsigned long i = used; i < room; i++) {
        to[i] = ' ';
    }
}

void new_pad(unsigned char *to, unsigned long used, unsigned long room) {
    if (used < room) {
        __builtin_memset(to + used, ' ', room - used);
    }
}
