#include <stddef.h>
#include <stdint.h>

static int follows(uint8_t byte) {
    return (byte & 0xc0) == 0x80;
}

/* The number of bytes of the first character, 0 if it is not well formed. */
int decode(const uint8_t *text, size_t size, uint32_t *code) {
    if (size == 0)
        return 0;
    if (text[0] < 0x80) {
        *code = text[0];
        return 1;
    }
    if ((text[0] & 0xe0) == 0xc0) {
        if (size < 2 || !follows(text[1]))
            return 0;
        *code = (uint32_t)(text[0] & 0x1f) << 6 | (text[1] & 0x3f);
        return *code < 0x80 ? 0 : 2;
    }
    if ((text[0] & 0xf0) == 0xe0) {
        if (size < 3 || !follows(text[1]) || !follows(text[2]))
            return 0;
        *code = (uint32_t)(text[0] & 0x0f) << 12 | (uint32_t)(text[1] & 0x3f) << 6 | (text[2] & 0x3f);
        if (*code >= 0xd800 && *code <= 0xdfff)
            return 0;
        return *code < 0x800 ? 0 : 3;
    }
    if ((text[0] & 0xf8) == 0xf0) {
        if (size < 4 || !follows(text[1]) || !follows(text[2]) || !follows(text[3]))
            return 0;
        *code = (uint32_t)(text[0] & 0x07) << 18 | (uint32_t)(text[1] & 0x3f) << 12 |
                (uint32_t)(text[2] & 0x3f) << 6 | (text[3] & 0x3f);
        return *code < 0x10000 || *code > 0x10ffff ? 0 : 4;
    }
    return 0;
}
