#include <stddef.h>
#include <stdint.h>

static const uint8_t table[16] = {
    0x00, 0x07, 0x0e, 0x09, 0x1c, 0x1b, 0x12, 0x15, 0x38, 0x3f, 0x36, 0x31, 0x24, 0x23, 0x2a, 0x2d,
};

/* The cyclic checksum of eight bits with polynomial 0x07. */
uint8_t crc(const uint8_t *data, size_t size) {
    uint8_t sum = 0;
    for (; size > 0; size--) {
        uint8_t byte = *data++ ^ sum;
        for (int half = 0; half < 2; half++)
            byte = (uint8_t)(byte << 4) ^ table[byte >> 4];
        sum = byte;
    }
    return sum;
}
