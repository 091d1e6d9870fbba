// verdict: same
// entry: apply
// kind: refactoring
// loops: none
// domain: int
// A table of functions for a switch.
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int times(int a, int b) { return a * b; }

int old_apply(unsigned operation, int a, int b) {
    switch (operation) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    }
    return 0;
}

int new_apply(unsigned operation, int a, int b) {
    static int (*const operations[])(int, int) = {plus, minus, times};
    return operation < 3 ? operations[operation](a, b) : 0;
}
