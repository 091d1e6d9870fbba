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
    unsigned char *part[] = {&color->red, &color->green, &color->blue};
    size_t step = length == 4 ? 1 : 2;
    for (size_t i = 0; i < 3; i++) {
        const char *digits = text + 1 + i * step;
        *part[i] = digit(digits[0]) * 16 + digit(digits[step - 1]);
    }
    return 1;
}
