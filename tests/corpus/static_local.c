// RUN: incise run %s
// EXPECT: paths=4 errors=0 complete=true exit=0
// Static locals keep their value between calls, and each function has its own.
#include "klee/klee.h"
#include <stdio.h>

static int counter(int step) {
    static int total = 100;
    total += step;
    return total;
}

static const char *name_once(int index) {
    static char buffer[4];
    static int used;
    buffer[0] = (char)('a' + index);
    buffer[1] = (char)('0' + used++);
    buffer[2] = 0;
    return buffer;
}

int main(void) {
    int steps[2];
    klee_make_symbolic(steps, sizeof steps, "steps");
    for (int i = 0; i < 2; i++) {
        if (steps[i] > 0) {
            counter(5);
            name_once(i);
        }
    }
    int last = counter(0);
    printf("%d %s\n", last, name_once(7));
    return last - 100;
}
