#include <stddef.h>
#include <stdint.h>

/* The complement of the sum of all words of sixteen bits, with the carries added. */
uint16_t checksum(const uint8_t *data, size_t size) {
    uint32_t sum = 0;
    while (size > 1) {
        sum += (uint32_t)data[0] * 256 + data[1];
        if (sum > 0xffff)
            sum -= 0xffff;
        data += 2;
        size -= 2;
    }
    if (size == 1) {
        sum += (uint32_t)data[0] * 256;
        if (sum > 0xffff)
            sum -= 0xffff;
    }
    return (uint16_t)(0xffff - sum);
}
