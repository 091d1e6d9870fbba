// verdict: same
// entry: steps
// kind: refactoring
// loops: none
// domain: int
// The entry is unchanged; a function that it calls was rewritten.
static int wrap(int angle) {
    if (angle > 179) {
        angle -= 360;
    }
    if (angle < -180) {
        angle += 360;
    }
    return angle;
}

int steps(short from, short to) {
    int turn = wrap(to % 180 - from % 180);
    return turn < 0 ? -turn : turn;
}
