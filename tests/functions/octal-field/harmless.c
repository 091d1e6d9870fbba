#include <stddef.h>

/* A number in octal digits, as archives have it in fields of a fixed width: blanks before it, a blank or a zero byte behind it. */
unsigned long parse_octal(const char *field, size_t width) {
    unsigned long value = 0;
    size_t at = 0;
    while (at < width && field[at] == ' ')
        at++;
    for (; at < width; at++) {
        if (field[at] < '0' || field[at] > '7')
            break;
        value = value << 3 | (unsigned long)(field[at] & 7);
    }
    if (at == width || field[at] == ' ' || field[at] == '\0')
        return value;
    return (unsigned long)-1;
}
