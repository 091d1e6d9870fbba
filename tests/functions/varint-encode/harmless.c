#include <stdint.h>

/* Writes a number in groups of seven bits, the lowest first, at most ten bytes; returns their number. */
int put_number(uint64_t value, uint8_t *out) {
    uint8_t *at = out;
    do {
        uint8_t byte = value & 0x7f;
        value >>= 7;
        if (value != 0)
            byte |= 0x80;
        *at++ = byte;
    } while (value != 0);
    return (int)(at - out);
}
