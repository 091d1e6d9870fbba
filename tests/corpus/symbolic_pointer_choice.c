// RUN: incise run %s --entry route
// EXPECT: paths=4 errors=0 complete=true exit=0
// A pointer to one of several objects, chosen by a symbolic index into a table of pointers.

int route(unsigned which) {
    int a = 1, b = 2, c = 3;
    int *const targets[3] = {&a, &b, &c};
    if (which >= 3) {
        return -1;
    }
    int *chosen = &a;
    if (which == 1) {
        chosen = targets[1];
    } else if (which == 2) {
        chosen = targets[2];
    }
    *chosen += 10;
    return a * 10000 + b * 100 + c;
}
