// RUN: incise run %s --entry calculate
// EXPECT: paths=5 errors=0 complete=true exit=0
// A table of functions, and a call through an element whose index is symbolic: one path for each target.

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int both(int a, int b) { return a & b; }
static int either(int a, int b) { return a | b; }

static int (*const operations[4])(int, int) = {add, subtract, both, either};

int calculate(unsigned operation, short a, short b) {
    if (operation >= 4) {
        return -1;
    }
    return operations[operation](a, b);
}
