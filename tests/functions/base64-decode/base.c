#include <stddef.h>
#include <stdint.h>

static int digit(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

/* Reads base64 in whole groups of four digits; returns the number of bytes, -1 if something is wrong. */
int decode(const char *text, size_t length, uint8_t *out, size_t room) {
    size_t used = 0;
    if (length % 4 != 0)
        return -1;
    for (size_t at = 0; at < length; at += 4) {
        int a = digit(text[at]), b = digit(text[at + 1]), c = digit(text[at + 2]), d = digit(text[at + 3]);
        if (a < 0 || b < 0 || c < 0 || d < 0)
            return -1;
        if (room - used < 3)
            return -1;
        out[used++] = (uint8_t)(a << 2 | b >> 4);
        out[used++] = (uint8_t)(b << 4 | c >> 2);
        out[used++] = (uint8_t)(c << 6 | d);
    }
    return (int)used;
}
