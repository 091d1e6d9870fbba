// RUN: incise run %s --entry grow
// EXPECT: paths=5 errors=0 complete=true exit=0
// realloc keeps the old content, grows, shrinks, and starts from null.
#include <stdlib.h>

int grow(unsigned count) {
    int *values = NULL;
    size_t capacity = 0;
    int sum = 0;
    if (count > 3) {
        return -1;
    }
    for (unsigned i = 0; i < count; i++) {
        if (i >= capacity) {
            capacity = capacity ? capacity * 2 : 1;
            values = realloc(values, capacity * sizeof *values);
        }
        values[i] = (int)(i + 1) * 7;
    }
    for (unsigned i = 0; i < count; i++) {
        sum += values[i];
    }
    values = realloc(values, 4);
    values[0] = sum + (int)capacity;
    sum = values[0];
    free(values);
    return sum;
}
