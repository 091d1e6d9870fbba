int shifted(int x) {
    return x + 3;
}

int total(int x, int y) {
    int result = shifted(x) + y - 2;
    return result + result;
}
