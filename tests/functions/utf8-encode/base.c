#include <stdint.h>

/* Writes a character, at most four bytes; returns their number, 0 if there is no such character. */
int encode(uint32_t code, uint8_t out[static 4]) {
    if (code < 0x80) {
        out[0] = (uint8_t)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (uint8_t)(0xc0 | code >> 6);
        out[1] = 0x80 | (code & 0x3f);
        return 2;
    }
    if (code >= 0xd800 && code <= 0xdfff)
        return 0;
    if (code < 0x10000) {
        out[0] = (uint8_t)(0xe0 | code >> 12);
        out[1] = 0x80 | (code >> 6 & 0x3f);
        out[2] = 0x80 | (code & 0x3f);
        return 3;
    }
    if (code > 0x10ffff)
        return 0;
    out[0] = (uint8_t)(0xf0 | code >> 18);
    out[1] = 0x80 | (code >> 12 & 0x3f);
    out[2] = 0x80 | (code >> 6 & 0x3f);
    out[3] = 0x80 | (code & 0x3f);
    return 4;
}
