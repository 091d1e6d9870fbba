#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct chunk {
    uint32_t length;
    char type[4];
    uint32_t crc;
};

static uint32_t big_endian(const uint8_t *data) {
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

/* Reads a chunk: its length, four letters, so many bytes, and a checksum of four bytes. */
int read_chunk(const uint8_t *data, size_t left, struct chunk *chunk) {
    if (left < 12)
        return 0;
    chunk->length = big_endian(data);
    if (chunk->length > left - 8)
        return 0;
    for (int i = 0; i < 4; i++) {
        uint8_t letter = data[4 + i];
        if (!((letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z')))
            return -1;
    }
    for (int i = 0; i < 4; i++)
        chunk->type[i] = (char)data[4 + i];
    chunk->crc = big_endian(data + 8 + chunk->length);
    return 1;
}
