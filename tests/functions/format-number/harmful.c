#include <stddef.h>

/* Writes a number in decimal digits; returns how many, 0 if there is no room for them and the terminator. */
size_t format_number(unsigned value, char *out, size_t room) {
    char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    if (count > room)
        return 0;
    for (size_t i = 0; i < count; i++)
        out[i] = digits[count - 1 - i];
    out[count] = '\0';
    return count;
}
