#include <stddef.h>
#include <stdint.h>

/* The content of the first record of a type: records are a type, a length, and so many bytes. */
const uint8_t *find_record(const uint8_t *data, size_t size, uint8_t type, size_t *length) {
    size_t at = 0;
    while (size - at >= 2) {
        size_t count = data[at + 1];
        if (count > size - at - 2)
            return NULL;
        if (data[at] == type) {
            *length = count;
            return data + at + 2;
        }
        at += 2 + count;
    }
    return NULL;
}
