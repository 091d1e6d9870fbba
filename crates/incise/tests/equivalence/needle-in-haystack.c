// verdict: differs
// entry: check
// kind: bug
// loops: none
// domain: int
// One input of four billion.
int old_check(unsigned key) {
    return (key * 2654435761u ^ 0x1234u) % 2;
}

int new_check(unsigned key) {
    if (key * 2654435761u == 0xdeadbeefu) {
        return 7;
    }
    return (key * 2654435761u ^ 0x1234u) % 2;
}
