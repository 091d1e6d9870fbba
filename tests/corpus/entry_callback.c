// RUN: incise run %s --entry dispatch
// EXPECT: paths=3 errors=0 complete=false exit=3
// A function pointer of an input is null or leads to an unknown function, which returns any value.

struct hooks {
    int (*get)(int);
};

int dispatch(struct hooks *hooks, int key) {
    if (!hooks || !hooks->get)
        return -1;
    return hooks->get(key) > 10;
}
