// RUN: incise run %s --entry multiply_high
// EXPECT: paths=4 errors=0 complete=true exit=0
// 128-bit integers: products, shifts, comparisons, division by a constant.
#include <stdint.h>

typedef unsigned __int128 wide;

int multiply_high(uint64_t a, uint32_t b) {
    wide product = (wide)a * b;
    uint64_t high = (uint64_t)(product >> 64);
    __int128 negative = -(__int128)product;
    if (high == 0) {
        return a == 10 ? (int)((product << 100) >> 120) : 1;
    }
    wide limit = (wide)1 << 95;
    if (product >= limit) {
        return 2;
    }
    return negative < 0 ? (int)(limit / 1000000007u % 1000) : 3;
}
