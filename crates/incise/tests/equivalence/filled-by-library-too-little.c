// verdict: differs
// entry: pad
// kind: bug
// loops: other
// domain: int
// A loop that fills is a call of memset, and the last byte is not filled.
void old_pad(unsigned char *to, unsigned long used, unsigned long room) {
    for (unsigned long i = used; i < room; i++) {
        to[i] = ' ';
    }
}

void new_pad(unsigned char *to, unsigned long used, unsigned long room) {
    if (used < room) {
        __builtin_memset(to + used, ' ', room - used - 1);
    }
}
