#include <stddef.h>
#include <stdint.h>

/* Writes two digits for each byte, and a terminator; 0 if there is no room for them. */
int to_hex(const uint8_t *data, size_t size, char *out, size_t room) {
    static const char digits[] = "0123456789abcdef";
    if (room == 0 || size > (room - 1) / 2)
        return 0;
    for (size_t i = 0; i < size; i++) {
        out[2 * i] = digits[data[i] >> 4];
        out[2 * i + 1] = digits[data[i] & 0x0f];
    }
    out[2 * size] = '\0';
    return 1;
}
