// RUN: incise run %s --entry permute
// EXPECT: paths=5 errors=0 complete=true exit=0
// Writes at symbolic indices, read back at concrete and at symbolic ones.

int permute(unsigned from, unsigned to) {
    int cells[5] = {10, 20, 30, 40, 50};
    if (from >= 5 || to >= 5) {
        return -1;
    }
    cells[from] = 0;
    cells[to]++;
    if (cells[2] == 31) {
        return 1;
    }
    if (cells[to] == 1) {
        return 2; /* both are the same place */
    }
    return cells[from] + cells[4];
}
