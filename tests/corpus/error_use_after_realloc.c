// RUN: incise run %s --entry extend
// EXPECT: paths=2 errors=1 complete=true exit=1
// ERROR: use-after-free at 13
// A pointer into a block is stale once the block was moved by realloc.
#include <stdlib.h>

int extend(int large) {
    char *block = malloc(8);
    char *middle = block + 4;
    *middle = 3;
    if (large > 100) {
        block = realloc(block, 100000);
        int result = *middle; // error: use-after-free
        free(block);
        return result;
    }
    int result = *middle;
    free(block);
    return result;
}
