// verdict: differs
// entry: room
// kind: bug
// loops: none
// domain: int
// A negative number is large when compared without its sign.
int old_room(int used, int limit) {
    if (used < limit) {
        return 1;
    }
    return 0;
}

int new_room(int used, int limit) {
    unsigned room = limit;
    if (used < room) {
        return 1;
    }
    return 0;
}
