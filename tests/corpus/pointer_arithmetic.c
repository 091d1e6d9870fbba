// RUN: incise run %s --entry walk
// EXPECT: paths=4 errors=0 complete=true exit=0
// Differences, comparisons and steps of pointers, of elements of several sizes.
#include <stddef.h>

struct wide {
    char bytes[12];
};

int walk(int stop) {
    int values[6] = {1, 2, 4, 8, 16, 32};
    struct wide wides[4] = {{{0}}};
    const int *end = values + 6;
    const int *at = values;
    int sum = 0;
    while (at != end && at < end) {
        if (*at++ == stop) {
            break;
        }
        sum += at[-1];
        at++;
    }
    ptrdiff_t steps = at - values;
    struct wide *second = &wides[1], *last = wides + 3;
    second->bytes[11] = 5;
    char *byte = (char *)last;
    byte -= 13;
    if (steps == 6) {
        return sum + (int)(last - second);
    }
    return (int)steps * 100 + wides[1].bytes[11] + *byte;
}
