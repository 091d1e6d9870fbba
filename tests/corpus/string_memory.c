// RUN: incise run %s --entry blocks
// EXPECT: paths=3 errors=0 complete=true exit=0
// memcmp, memset, memcpy and memmove, the last one with overlap in both directions.
#include <string.h>

int blocks(unsigned char value) {
    unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned char expected[8] = {1, 1, 2, 3, 4, 9, 9, 8};
    memmove(data + 1, data, 4);
    memset(data + 5, value, 2);
    memcpy(expected + 7, &value, 1);
    int order = memcmp(data, expected, 8);
    if (order == 0) {
        return 1000; /* never: one byte cannot be 8 and 9 */
    }
    memmove(data, data + 2, 6);
    return order < 0 ? -data[0] : data[5];
}
