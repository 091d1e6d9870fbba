// RUN: incise run %s --entry transfer
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 13
// memcpy of a symbolic number of bytes, which may be one too many.
#include <string.h>

int transfer(unsigned count) {
    char source[6] = {1, 2, 3, 4, 5, 6};
    char target[4] = {9, 9, 9, 9};
    if (count > 5) {
        return -1;
    }
    memcpy(target, source, count); // error: out-of-bounds
    return target[0] * 1000 + target[3];
}
