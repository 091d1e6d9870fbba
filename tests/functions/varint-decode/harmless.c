#include <stddef.h>
#include <stdint.h>

/* Reads a number in groups of seven bits; returns where it ends, or null. */
const uint8_t *get_number(const uint8_t *data, const uint8_t *end, uint64_t *value) {
    uint64_t found = 0;
    for (unsigned i = 0; i < 10; i++) {
        if (data >= end)
            return NULL;
        found |= (uint64_t)(*data & 0x7f) << (7 * i);
        if (*data++ < 0x80) {
            *value = found;
            return data;
        }
    }
    return NULL;
}
