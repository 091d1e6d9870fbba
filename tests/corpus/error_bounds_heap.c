// RUN: incise run %s --entry store
// EXPECT: paths=5 errors=2 complete=true exit=1
// ERROR: out-of-bounds at 17
// ERROR: out-of-bounds at 19
// Reads and writes beside a heap block, at two lines.
#include <stdlib.h>

int store(unsigned char index) {
    if (index > 20) {
        return -1;
    }
    char *block = malloc(16);
    for (int i = 0; i < 16; i++) {
        block[i] = (char)i;
    }
    if (index & 1) {
        block[index + 1] = 5; // error: out-of-bounds
    } else {
        block[0] = block[index]; // error: out-of-bounds
    }
    int result = block[0];
    free(block);
    return result;
}
