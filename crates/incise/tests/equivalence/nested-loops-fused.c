// verdict: same-within-bounds
// entry: grid
// kind: refactoring
// loops: other
// domain: int
// Two nested loops as one.
int old_grid(unsigned char mask) {
    int sum = 0;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 2; column++) {
            if (mask >> (row * 2 + column) & 1) {
                sum += row + column;
            }
        }
    }
    return sum;
}

int new_grid(unsigned char mask) {
    int sum = 0;
    for (int cell = 0; cell < 6; cell++) {
        sum += (mask >> cell & 1) * (cell / 2 + cell % 2);
    }
    return sum;
}
