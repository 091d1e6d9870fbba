// verdict: differs
// entry: clear
// kind: bug
// loops: none
// domain: int
// A comparison binds stronger than an and.
int old_clear(unsigned flags, unsigned mask) {
    return (flags & mask) == 0;
}

int new_clear(unsigned flags, unsigned mask) {
    return flags & mask == 0;
}
