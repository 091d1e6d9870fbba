#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Writes each byte as often as the count before it says; returns the size, -1 if it is cut or there is no room. */
long unpack(const uint8_t *data, size_t size, uint8_t *out, size_t room) {
    size_t used = 0;
    if (size % 2 != 0)
        return -1;
    for (size_t at = 0; at < size; at += 2) {
        size_t count = data[at];
        if (count > room - used + 1)
            return -1;
        for (size_t i = 0; i < count; i++)
            out[used + i] = data[at + 1];
        used += count;
    }
    return (long)used;
}
