// RUN: incise run %s --entry sum_of_squares
// EXPECT: paths=6 errors=0 complete=true exit=0
// Variable length arrays, of one and two dimensions, whose sizes are decided by the path.

static int fill(int n, int square[n][n]) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            square[i][j] = i * n + j;
            sum += square[i][j];
        }
    }
    return sum;
}

int sum_of_squares(int n) {
    if (n < 1 || n > 4) {
        return -1;
    }
    int size = 0;
    while (size < n) {
        size++;
    }
    int line[size];
    int square[size][size];
    for (int i = 0; i < size; i++) {
        line[i] = i * i;
    }
    return fill(size, square) + line[size - 1] + (int)sizeof square;
}
