#include <stddef.h>

/* How many characters a text has: bytes that continue one do not count. */
size_t characters(const char *text) {
    size_t count = 0;
    while (*text != '\0') {
        if (((unsigned char)*text & 0xc0) != 0x80)
            count++;
        text++;
    }
    return count;
}
