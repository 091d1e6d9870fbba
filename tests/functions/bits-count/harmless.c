#include <stddef.h>
#include <stdint.h>

static unsigned ones(uint32_t word) {
    word = (word & 0x55555555) + (word >> 1 & 0x55555555);
    word = (word & 0x33333333) + (word >> 2 & 0x33333333);
    word = (word & 0x0f0f0f0f) + (word >> 4 & 0x0f0f0f0f);
    return word % 255;
}

/* How many bits are set. */
unsigned bits_count(const uint32_t *words, size_t count) {
    unsigned bits = 0;
    while (count-- > 0)
        bits += ones(*words++);
    return bits;
}
