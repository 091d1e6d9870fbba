// verdict: differs
// entry: turn
// kind: bug
// loops: none
// domain: int
// Only one way to turn is right.
int old_turn(int angle) {
    if (angle > 180) {
        return angle - 360;
    }
    if (angle < -180) {
        return angle + 360;
    }
    return angle;
}

int new_turn(int angle) {
    if (angle > 180) {
        return angle - 360;
    }
    if (angle < -180) {
        return angle - 360;
    }
    return angle;
}
