static int mode;

static void configure(int x) {
    mode = x >= 7;
}

static int act(int y) {
    return mode ? y * 2 : y;
}

int run(int x, int y) {
    configure(x);
    return act(y);
}
