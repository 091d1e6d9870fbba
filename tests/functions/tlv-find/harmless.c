#include <stddef.h>
#include <stdint.h>

/* The content of the first record of a type: records are a type, a length, and so many bytes. */
const uint8_t *find_record(const uint8_t *data, size_t size, uint8_t type, size_t *length) {
    const uint8_t *end = data + size;
    while (end - data >= 2) {
        uint8_t kind = *data++;
        uint8_t count = *data++;
        if (count > end - data)
            break;
        if (kind == type) {
            *length = count;
            return data;
        }
        data += count;
    }
    return NULL;
}
