// RUN: incise run %s --entry wrap
// EXPECT: paths=5 errors=0 complete=true exit=0
// Unsigned arithmetic is modulo a power of two at every width.
#include <stdint.h>

int wrap(uint32_t a, uint8_t b) {
    uint32_t sum = a + 16;
    uint8_t product = (uint8_t)(b * 3);
    uint64_t wide = (uint64_t)a * 0x100000000u;
    uint16_t difference = (uint16_t)(b - 300);
    if (sum < a) {
        if (product == 1) {
            return b; /* 171 */
        }
        return -1;
    }
    if (a - 1 > a) {
        return difference > 65000 ? 1 : 2;
    }
    if (wide >> 63) {
        return 3;
    }
    return 4;
}
