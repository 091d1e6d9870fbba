#include <stddef.h>
#include <stdint.h>

/* Reads a number in groups of seven bits; returns where it ends, or null. */
const uint8_t *get_number(const uint8_t *data, const uint8_t *end, uint64_t *value) {
    uint64_t found = 0;
    unsigned shift = 0;
    while (data < end && shift < 64) {
        uint8_t byte = *data++;
        found |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) {
            *value = found;
            return data;
        }
        shift += 7;
    }
    return NULL;
}
