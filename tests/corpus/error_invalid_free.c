// RUN: incise run %s --entry give_back
// EXPECT: paths=3 errors=2 complete=true exit=1
// ERROR: invalid-free at 14
// ERROR: invalid-free at 16
// free of the middle of a block, and of something that malloc never returned.
#include <stdlib.h>

int give_back(int which) {
    static char fixed[8];
    char *block = malloc(8);
    char *middle = block + 2;
    char *other = fixed;
    if (which == 1) {
        free(middle); // error: invalid-free
    } else if (which == 2) {
        free(other); // error: invalid-free
    }
    free(block);
    return 0;
}
