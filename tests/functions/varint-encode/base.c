#include <stdint.h>

/* Writes a number in groups of seven bits, the lowest first, at most ten bytes; returns their number. */
int put_number(uint64_t value, uint8_t *out) {
    int used = 0;
    while (value >= 0x80) {
        out[used++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    out[used++] = (uint8_t)value;
    return used;
}
