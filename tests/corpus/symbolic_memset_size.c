// RUN: incise run %s --entry clear
// EXPECT: paths=3 errors=0 complete=true exit=0
// memset of a symbolic number of bytes, all of them allowed.
#include <string.h>

int clear(unsigned count) {
    unsigned char cells[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    if (count > 8) {
        return -1;
    }
    memset(cells, 0, count);
    if (cells[3] == 0) {
        return 1;
    }
    return cells[3];
}
