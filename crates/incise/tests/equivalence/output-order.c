// verdict: differs
// entry: announce
// kind: bug
// loops: none
// domain: int
// The same words in another order.
#include <stdio.h>

void old_announce(int ready, int late) {
    if (ready) {
        puts("ready");
    }
    if (late) {
        puts("late");
    }
}

void new_announce(int ready, int late) {
    if (late) {
        puts("late");
    }
    if (ready) {
        puts("ready");
    }
}
