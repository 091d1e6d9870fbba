#include <stddef.h>
#include <stdint.h>

/* How many bits are set. */
unsigned bits_count(const uint32_t *words, size_t count) {
    unsigned bits = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned shift = 0; shift < 31; shift++)
            bits += words[i] >> shift & 1;
    return bits;
}
