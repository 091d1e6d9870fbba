#include <stddef.h>

/* Writes a number in decimal digits; returns how many, 0 if there is no room for them and the terminator. */
size_t format_number(unsigned value, char *out, size_t room) {
    size_t count = 1;
    for (unsigned rest = value; rest > 9; rest /= 10)
        count++;
    if (count >= room)
        return 0;
    out[count] = '\0';
    for (size_t i = count; i > 0; i--) {
        out[i - 1] = (char)('0' + value % 10);
        value /= 10;
    }
    return count;
}
