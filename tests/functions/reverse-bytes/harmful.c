#include <stddef.h>

/* Turns bytes around in place. */
void reverse(unsigned char *bytes, size_t size) {
    for (size_t i = 0; i + 2 < size - i; i++) {
        unsigned char kept = bytes[i];
        bytes[i] = bytes[size - 1 - i];
        bytes[size - 1 - i] = kept;
    }
}
