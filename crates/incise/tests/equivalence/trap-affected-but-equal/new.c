int level(int x, int k) {
    int y = x;
    if (y >= 100) {
        y = 100;
    }
    return k == 2 ? y : 0;
}
