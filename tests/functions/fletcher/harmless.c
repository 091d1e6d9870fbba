#include <stdint.h>

/* A checksum of two sums over a range. */
uint16_t fletcher(const uint8_t *data, const uint8_t *end) {
    uint16_t a = 0, b = 0;
    while (data != end) {
        a += *data++;
        if (a >= 255)
            a -= 255;
        b += a;
        if (b >= 255)
            b -= 255;
    }
    return (uint16_t)(b << 8 | a);
}
