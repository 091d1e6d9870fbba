#include <stddef.h>
#include <stdint.h>

/* Writes a count and a byte for each run; returns the size, -1 if there is no room. */
long pack(const uint8_t *data, size_t size, uint8_t *out, size_t room) {
    size_t used = 0;
    const uint8_t *end = data + size;
    while (data != end) {
        const uint8_t *first = data++;
        while (data != end && *data == *first && data - first < 255)
            data++;
        if (room - used < 2)
            return -1;
        out[used] = (uint8_t)(data - first);
        out[used + 1] = *first;
        used += 2;
    }
    return (long)used;
}
