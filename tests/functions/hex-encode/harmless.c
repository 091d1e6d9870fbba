#include <stddef.h>
#include <stdint.h>

/* Writes two digits for each byte, and a terminator; 0 if there is no room for them. */
int to_hex(const uint8_t *data, size_t size, char *out, size_t room) {
    static const char digits[] = "0123456789abcdef";
    if (room == 0 || size > (room - 1) / 2)
        return 0;
    for (const uint8_t *end = data + size; data != end; data++) {
        *out++ = digits[*data / 16];
        *out++ = digits[*data % 16];
    }
    *out = '\0';
    return 1;
}
