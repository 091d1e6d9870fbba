// verdict: same
// entry: allowed
// kind: refactoring
// loops: none
// domain: int
// (a and b) or (a and not b) is a.
int old_allowed(int admin, int owner, int locked) {
    if ((admin && owner) || (admin && !owner)) {
        return !locked || admin;
    }
    if (owner && !locked) {
        return 1;
    }
    return 0;
}

int new_allowed(int admin, int owner, int locked) {
    return admin || (owner && !locked);
}
