#include <stddef.h>

/* A number in octal digits, as archives have it in fields of a fixed width: blanks before it, a blank or a zero byte behind it. */
unsigned long parse_octal(const char *field, size_t width) {
    unsigned long value = 0;
    while (width > 0 && *field == ' ') {
        field++;
        width--;
    }
    while (width > 0 && *field >= '0' && *field <= '7') {
        value = value * 8 + (unsigned long)(*field - '0');
        field++;
        width--;
    }
    if (width > 0 && *field != '\0' && *field != ' ')
        return (unsigned long)-1;
    return value;
}
