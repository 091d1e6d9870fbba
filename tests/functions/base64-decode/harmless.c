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
    if (length & 3)
        return -1;
    for (size_t at = 0; at < length; at += 4) {
        int a = digit(text[at]), b = digit(text[at + 1]), c = digit(text[at + 2]), d = digit(text[at + 3]);
        if ((a | b | c | d) < 0 || used + 3 > room)
            return -1;
        uint32_t bits = (uint32_t)a << 18 | (uint32_t)b << 12 | (uint32_t)c << 6 | (uint32_t)d;
        out[used] = (uint8_t)(bits >> 16);
        out[used + 1] = (uint8_t)(bits >> 8);
        out[used + 2] = (uint8_t)bits;
        used += 3;
    }
    return (int)used;
}
