#include <stddef.h>
#include <stdint.h>

/* Goes on with a checksum of two sums; the first one is 1. */
uint32_t adler(uint32_t before, const uint8_t *data, size_t size) {
    uint32_t a = (before & 0xffff) % 65521, b = (before >> 16) % 65521;
    for (size_t i = 0; i < size; i++) {
        b = (b + a) % 65521;
        a = (a + data[i]) % 65521;
    }
    return b << 16 | a;
}
