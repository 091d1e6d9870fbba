// verdict: differs
// entry: speed
// kind: bug
// loops: none
// domain: int
// The value for everything else is another.
int old_speed(int gear) {
    int speed = -1;
    if (gear == 1) speed = 20;
    if (gear == 2) speed = 40;
    if (gear == 3) speed = 70;
    return speed;
}

int new_speed(int gear) {
    int speed = 0;
    if (gear == 1) speed = 20;
    if (gear == 2) speed = 40;
    if (gear == 3) speed = 70;
    return speed;
}
