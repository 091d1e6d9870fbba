#include <stddef.h>
#include <stdint.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Writes base64 with a terminator; returns the number of characters, 0 if there is no room. */
size_t encode(const uint8_t *data, size_t size, char *out, size_t room) {
    size_t used = 0;
    if (room < (size + 2) / 3 * 4 + 1)
        return 0;
    while (size >= 3) {
        out[used++] = digits[data[0] >> 2];
        out[used++] = digits[(data[0] & 3) << 4 | data[1] >> 4];
        out[used++] = digits[(data[1] & 15) << 2 | data[2] >> 6];
        out[used++] = digits[data[2] & 63];
        data += 3;
        size -= 3;
    }
    if (size == 2) {
        out[used++] = digits[data[0] >> 2];
        out[used++] = digits[(data[0] & 3) << 4 | data[1] >> 4];
        out[used++] = digits[(data[1] & 15) << 2];
        out[used++] = '=';
    } else if (size == 1) {
        out[used++] = digits[data[0] >> 2];
        out[used++] = digits[(data[0] & 3) << 4];
        out[used++] = '=';
        out[used++] = '=';
    }
    out[used] = '\0';
    return used;
}
