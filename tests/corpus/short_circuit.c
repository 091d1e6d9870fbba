// RUN: incise run %s --entry guard
// EXPECT: paths=7 errors=0 complete=true exit=0
// The right side of && and || runs only when it must, and its effects show that.

static int visits;

static int visit(int value, int result) {
    visits = visits * 10 + value;
    return result;
}

int guard(int a, int b) {
    int x, y;
    visits = 0;
    x = visit(1, a > 0) && visit(2, b > 0);
    y = visit(3, a < -5) || visit(4, b < -5);
    if (!x && !(y || a == b)) {
        return visits + 1;
    }
    return visits;
}
