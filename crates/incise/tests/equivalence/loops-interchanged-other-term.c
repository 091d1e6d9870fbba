// verdict: differs
// entry: total
// kind: bug
// loops: other
// domain: int
// Rows and columns change places in the term as well.
unsigned old_total(unsigned rows, unsigned columns, unsigned x) {
    unsigned sum = 0;
    if (rows > 3 || columns > 3) {
        return 0;
    }
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns; column++) {
            sum += (row * x) ^ column;
        }
    }
    return sum;
}

unsigned new_total(unsigned rows, unsigned columns, unsigned x) {
    unsigned sum = 0;
    if (rows > 3 || columns > 3) {
        return 0;
    }
    for (unsigned column = 0; column < columns; column++) {
        for (unsigned row = 0; row < rows; row++) {
            sum += (column * x) ^ row;
        }
    }
    return sum;
}
