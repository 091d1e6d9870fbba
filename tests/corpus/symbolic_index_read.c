// RUN: incise run %s --entry lookup
// EXPECT: paths=4 errors=0 complete=true exit=0
// A read at a symbolic index is one value, not one path for each element.

static const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};

int lookup(unsigned a, unsigned b) {
    if (a >= 16) {
        return -1;
    }
    if (squares[a] + squares[b & 15] == 25) {
        return 1;
    }
    if (squares[squares[a] & 15] == 81) {
        return 2;
    }
    return 3;
}
