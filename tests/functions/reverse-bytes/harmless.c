#include <stddef.h>

/* Turns bytes around in place. */
void reverse(unsigned char *bytes, size_t size) {
    if (size < 2)
        return;
    unsigned char *last = bytes + size - 1;
    while (bytes < last) {
        unsigned char kept = *last;
        *last-- = *bytes;
        *bytes++ = kept;
    }
}
