int choose(int x, int k) {
    int y = 0;
    if (x > 4) {
        y = 1;
    }
    return k == 2 ? y : 0;
}
