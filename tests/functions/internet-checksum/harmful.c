#include <stddef.h>
#include <stdint.h>

/* The complement of the sum of all words of sixteen bits, with the carries added. */
uint16_t checksum(const uint8_t *data, size_t size) {
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i + 1 < size; i += 2) {
        sum += (uint32_t)(data[i] << 8 | data[i + 1]);
        sum = (sum & 0xffff) + (sum >> 16);
    }
    if (i < size) {
        sum += (uint32_t)data[i];
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return (uint16_t)~sum;
}
