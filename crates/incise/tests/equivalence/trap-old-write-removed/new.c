int state;

int update(int x, int quiet) {
    state = 0;
    if (!quiet) {
    }
    return x;
}
