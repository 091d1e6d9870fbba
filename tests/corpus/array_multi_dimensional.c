// RUN: incise run %s --entry diagonal
// EXPECT: paths=5 errors=0 complete=true exit=0
// Arrays of arrays, also as parameters, in row order in memory.

static int trace_of(int rows, int matrix[][3]) {
    int sum = 0;
    for (int i = 0; i < rows; i++) {
        sum += matrix[i][i];
    }
    return sum;
}

int diagonal(int x, int y) {
    int matrix[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    int cube[2][2][2] = {{{0}}};
    if (x < 0 || x >= 3 || y < 0 || y >= 3) {
        return -1;
    }
    matrix[1][1] = 50;
    cube[1][0][1] = 9;
    int *flat = &matrix[0][0];
    return trace_of(3, matrix) * 100 + flat[7] + cube[1][0][1] + (int)sizeof matrix[0];
}
