// RUN: incise run %s --entry tag
// EXPECT: paths=3 errors=0 complete=true exit=0
// Pointers that go through integers and carry a tag in their low bits.
#include <stdint.h>

int tag(unsigned index, unsigned tag) {
    if (index >= 4) {
        return -1;
    }
    long values[4] = {10, 20, 30, 40};
    uintptr_t tagged = (uintptr_t)&values[2] | (tag & 7);
    uintptr_t plain = tagged & ~(uintptr_t)7;
    long *pointer = (long *)plain;
    int low = (int)(tagged - plain);
    if (low == 5) {
        return (int)*pointer;
    }
    intptr_t distance = (intptr_t)&values[3] - (intptr_t)&values[0];
    return (int)distance + low;
}
