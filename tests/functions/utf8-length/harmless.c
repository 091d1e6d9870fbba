#include <stddef.h>

/* How many characters a text has: bytes that continue one do not count. */
size_t characters(const char *text) {
    size_t count = 0;
    for (size_t at = 0; text[at] != '\0'; at++)
        count += (signed char)text[at] >= -0x40;
    return count;
}
