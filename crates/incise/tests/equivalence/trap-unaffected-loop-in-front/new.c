int rounds;

int scan(unsigned n, int x) {
    unsigned i = 0;
    while (i < n) {
        i++;
        rounds++;
    }
    if (x == 9 && n == 2) {
        return 2;
    }
    return 0;
}
