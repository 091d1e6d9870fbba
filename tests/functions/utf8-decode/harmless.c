#include <stddef.h>
#include <stdint.h>

static size_t length_of(uint8_t first) {
    if (first < 0x80)
        return 1;
    if (first < 0xc0)
        return 0;
    if (first < 0xe0)
        return 2;
    if (first < 0xf0)
        return 3;
    return first < 0xf8 ? 4 : 0;
}

/* The number of bytes of the first character, 0 if it is not well formed. */
int decode(const uint8_t *text, size_t size, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const uint8_t mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    if (size == 0)
        return 0;
    size_t length = length_of(text[0]);
    if (length == 0 || length > size)
        return 0;
    uint32_t value = text[0] & mask[length];
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (text[i] & 0x3f);
    }
    *code = value;
    if (value < least[length] || (value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff)
        return 0;
    return (int)length;
}
