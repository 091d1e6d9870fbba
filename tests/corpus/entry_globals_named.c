// RUN: incise run %s --entry advance --symbolic-globals position
// EXPECT: paths=3 errors=0 complete=true exit=0
// Only the named global is symbolic; the other one keeps its initial value.

int position = 1;
int speed = 3;

int advance(void) {
    if (speed != 3) {
        return -1; /* never */
    }
    if (position > 100 - speed) {
        position = 0;
        return 1;
    }
    if (position < 0) {
        return 2;
    }
    position += speed;
    return position;
}
