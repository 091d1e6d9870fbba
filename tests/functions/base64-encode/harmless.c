#include <stddef.h>
#include <stdint.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Writes base64 with a terminator; returns the number of characters, 0 if there is no room. */
size_t encode(const uint8_t *data, size_t size, char *out, size_t room) {
    size_t used = 0;
    if ((size + 2) / 3 * 4 >= room)
        return 0;
    while (size >= 3) {
        out[used++] = digits[data[0] >> 2];
        out[used++] = digits[(data[0] & 3) << 4 | data[1] >> 4];
        out[used++] = digits[(data[1] & 15) << 2 | data[2] >> 6];
        out[used++] = digits[data[2] & 63];
        data += 3;
        size -= 3;
    }
    if (size > 0) {
        uint8_t second = size == 2 ? data[1] : 0;
        out[used] = digits[data[0] >> 2];
        out[used + 1] = digits[(data[0] & 3) << 4 | second >> 4];
        out[used + 2] = size == 2 ? digits[(second & 15) << 2] : '=';
        out[used + 3] = '=';
        used += 4;
    }
    out[used] = '\0';
    return used;
}
