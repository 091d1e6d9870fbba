// RUN: incise run %s --entry release_twice
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: double-free at 13
// Two conditions that overlap free the same block.
#include <stdlib.h>

int release_twice(int status) {
    char *buffer = malloc(10);
    if (status > 5) {
        free(buffer);
    }
    if (status == 6) {
        free(buffer); // error: double-free
        return 1;
    }
    if (status <= 5) {
        free(buffer);
    }
    return 2;
}
