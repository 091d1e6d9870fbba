// RUN: incise run %s --entry level_up --symbolic-globals none
// EXPECT: paths=3 errors=0 complete=true exit=0
// No global is symbolic: the path goes by the initial values.

int level = 4;
static int history[4] = {1, 2, 3, 4};

int level_up(int bonus) {
    if (history[3] != level) {
        return -1; /* never */
    }
    if (bonus > 10) {
        level += 2;
    } else if (bonus == 10) {
        level++;
    }
    history[0] = level;
    return level;
}
