// RUN: incise run %s --entry swap
// EXPECT: paths=3 errors=0 complete=true exit=0
// Byte swaps, and bytes in memory of a little-endian machine.
#include <stdint.h>
#include <string.h>

int swap(uint32_t value) {
    unsigned char bytes[4];
    uint32_t swapped = __builtin_bswap32(value);
    memcpy(bytes, &swapped, 4);
    if (bytes[0] == 'I' && bytes[1] == 'n') {
        return bytes[2] << 8 | bytes[3];
    }
    uint64_t wide = __builtin_bswap64(0x0102030405060708ull);
    uint16_t half = __builtin_bswap16(0x1234);
    return (int)(wide & 0xff) + half + (int)__builtin_bitreverse8(1);
}
