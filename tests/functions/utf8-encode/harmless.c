#include <stdint.h>

/* Writes a character, at most four bytes; returns their number, 0 if there is no such character. */
int encode(uint32_t code, uint8_t out[static 4]) {
    static const uint8_t first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    int length;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--) {
        out[i] = 0x80 | (code & 0x3f);
        code >>= 6;
    }
    out[0] = (uint8_t)(first[length] | code);
    return length;
}
