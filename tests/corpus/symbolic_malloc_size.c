// RUN: incise run %s --entry reserve
// EXPECT: paths=5 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 16
// A block whose size is symbolic: the bound that is checked is the symbolic one.
#include <stdlib.h>

int reserve(unsigned size, unsigned index) {
    if (size < 2 || size > 8) {
        return -1;
    }
    if (index > 8) {
        return -2;
    }
    unsigned char *block = malloc(size);
    block[0] = 1;
    block[index] = 7; // error: out-of-bounds
    int result = block[index];
    free(block);
    return result;
}
