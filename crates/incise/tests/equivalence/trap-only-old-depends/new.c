int set(int b, int c) {
    int a = 1;
    if (c > 0) {
        a = a + c;
    }
    return a;
}
