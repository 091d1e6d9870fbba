int calls;

int peek(int x, int y) {
    int part = 0;
    calls++;
    if (y > 2) {
        part = 100 / x;
    }
    return y;
}
