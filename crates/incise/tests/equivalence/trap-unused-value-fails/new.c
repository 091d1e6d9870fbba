unsigned char limit, cells[4];

int peek(unsigned x) {
    int seen = 0;
    if (cells[x & 3] < limit) {
        seen = cells[7];
    }
    return (int)x;
}
