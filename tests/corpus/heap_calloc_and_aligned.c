// RUN: incise run %s --entry provide
// EXPECT: paths=3 errors=0 complete=true exit=0
// calloc clears; aligned_alloc and posix_memalign align; free(NULL) does nothing.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int provide(int which) {
    free(NULL);
    if (which == 1) {
        long *cleared = calloc(4, sizeof *cleared);
        long sum = cleared[0] | cleared[3];
        cleared[2] = 5;
        sum += cleared[2];
        free(cleared);
        return (int)sum;
    }
    if (which == 2) {
        void *block = NULL;
        int status = posix_memalign(&block, 64, 100);
        int rest = (int)((uintptr_t)block % 64);
        memset(block, 1, 100);
        free(block);
        return status + rest + 20;
    }
    char *aligned = aligned_alloc(32, 64);
    int rest = (int)((uintptr_t)aligned % 32);
    aligned[63] = 3;
    rest += aligned[63];
    free(aligned);
    return rest;
}
