// RUN: incise run %s --entry spiral
// EXPECT: paths=4 errors=0 complete=true exit=0
// The comma operator, in loops, conditions and arguments.

static int join(int a, int b) { return a * 100 + b; }

int spiral(int n) {
    int i, j, steps = 0, last;
    if (n < 0 || n > 50) {
        return -1;
    }
    for (i = 0, j = 10; i < j; i += 2, j--) {
        steps += (last = i, j);
    }
    last = (steps++, n += 2, n);
    if (i = last - 4, i > 10) {
        return join((steps++, last), (j = 3, j + 1));
    }
    return join(steps, i);
}
