int table[8];
int get(int i, int scale) {
    if (i < 0 || i >= 8)
        return -1;
    return table[i] / scale;
}
