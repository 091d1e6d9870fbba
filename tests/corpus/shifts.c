// RUN: incise run %s --entry rotate
// EXPECT: paths=5 errors=0 complete=true exit=0
// Shifts of signed, unsigned and narrow types, with a symbolic count that is checked.
#include <stdint.h>

int rotate(uint32_t value, uint32_t count, int32_t number) {
    if (count == 0 || count >= 32) {
        return 0;
    }
    uint32_t rotated = value << count | value >> (32 - count);
    int32_t halved = number >> 4;
    uint8_t byte = (uint8_t)number;
    int lifted = byte << 8 >> 4;
    if (rotated == 0x80000001u && count == 4) {
        return (int)(value >> 24) + (halved < 0) + lifted % 16;
    }
    return 1;
}
