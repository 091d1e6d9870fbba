// verdict: differs
// entry: run
// kind: bug
// loops: none
// domain: int
// The change reaches the result through a global that one function leaves for another.
static int mode;

static void configure(int x) {
    mode = x > 7;
}

static int act(int y) {
    return mode ? y * 2 : y;
}

int run(int x, int y) {
    configure(x);
    return act(y);
}
