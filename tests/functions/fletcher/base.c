#include <stdint.h>

/* A checksum of two sums over a range. */
uint16_t fletcher(const uint8_t *data, const uint8_t *end) {
    uint16_t a = 0, b = 0;
    for (; data != end; data++) {
        a = (a + *data) % 255;
        b = (b + a) % 255;
    }
    return (uint16_t)(b << 8 | a);
}
