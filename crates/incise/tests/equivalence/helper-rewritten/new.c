static int wrap(int angle) {
    if (angle < -180) {
        return angle + 360;
    }
    return angle >= 180 ? angle - 360 : angle;
}

int steps(short from, short to) {
    int turn = wrap(to % 180 - from % 180);
    return turn < 0 ? -turn : turn;
}
