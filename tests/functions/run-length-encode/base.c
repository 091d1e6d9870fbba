#include <stddef.h>
#include <stdint.h>

/* Writes a count and a byte for each run; returns the size, -1 if there is no room. */
long pack(const uint8_t *data, size_t size, uint8_t *out, size_t room) {
    size_t used = 0, at = 0;
    while (at < size) {
        size_t run = 1;
        while (at + run < size && run < 255 && data[at + run] == data[at])
            run++;
        if (used + 2 > room)
            return -1;
        out[used++] = (uint8_t)run;
        out[used++] = data[at];
        at += run;
    }
    return (long)used;
}
