#include <string.h>

struct color {
    unsigned char red, green, blue;
};

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Reads #rgb and #rrggbb; 1 if it is a color. */
int parse_color(const char *text, struct color *color) {
    size_t length = strlen(text);
    if (text[0] != '#' || (length != 4 && length != 7))
        return 0;
    for (size_t i = 1; i < length; i++)
        if (digit(text[i]) < 0)
            return 0;
    if (length == 4) {
        color->red = digit(text[1]) * 17;
        color->green = digit(text[2]) * 17;
        color->blue = digit(text[3]) * 17;
    } else {
        color->red = digit(text[1]) << 4 | digit(text[2]);
        color->green = digit(text[3]) << 4 | digit(text[4]);
        color->blue = digit(text[5]) << 4 | digit(text[6]);
    }
    return 1;
}
