// verdict: same
// entry: reset
// kind: refactoring
// loops: none
// domain: int
// Writes to different globals in another order.
int level, mode, ticks;

void old_reset(int start) {
    level = start;
    mode = start > 10;
    ticks = 0;
}

void new_reset(int start) {
    ticks = 0;
    mode = start > 10;
    level = start;
}
