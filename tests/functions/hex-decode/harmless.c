#include <stddef.h>
#include <stdint.h>

static int digit(char c) {
    switch (c) {
    case '0' ... '9':
        return c & 15;
    case 'a' ... 'f':
    case 'A' ... 'F':
        return (c & 15) + 9;
    default:
        return -1;
    }
}

/* Reads pairs of digits; returns the number of bytes, -1 for what is no pair, -2 if there is no room. */
int from_hex(const char *text, uint8_t *out, size_t room) {
    size_t used = 0;
    while (*text != '\0') {
        int high = digit(text[0]);
        int low = high < 0 ? -1 : digit(text[1]);
        if (low < 0)
            return -1;
        if (used == room)
            return -2;
        out[used++] = (uint8_t)(high * 16 + low);
        text += 2;
    }
    return (int)used;
}
