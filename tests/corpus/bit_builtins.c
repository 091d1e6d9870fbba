// RUN: incise run %s --entry bits
// EXPECT: paths=6 errors=0 complete=true exit=0
// Counting bits, finding the highest and the lowest, parity, and expectations.
#include <stdint.h>

int bits(uint32_t value, uint64_t wide) {
    if (value == 0 || wide == 0) {
        return -1;
    }
    int ones = __builtin_popcount(value);
    int leading = __builtin_clz(value);
    int trailing = __builtin_ctzll(wide);
    if (__builtin_expect(ones == 3, 0) && leading == 20 && trailing == 33) {
        return __builtin_parity(value) * 10 + __builtin_ffs((int)value);
    }
    return __builtin_popcountll(0xf0f0f0f0f0f0f0f0ull) + __builtin_clzl(1ul << 40);
}
