// verdict: differs
// entry: flags
// kind: bug
// loops: none
// domain: int
// An or for an and.
unsigned old_flags(unsigned all, unsigned wanted) {
    return all & wanted;
}

unsigned new_flags(unsigned all, unsigned wanted) {
    return all | wanted;
}
