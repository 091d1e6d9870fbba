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

static int is_letter(uint8_t byte) {
    byte |= 0x20;
    return byte >= 'a' && byte <= 'z';
}

/* Reads a chunk: its length, four letters, so many bytes, and a checksum of four bytes. */
int read_chunk(const uint8_t *data, size_t left, struct chunk *chunk) {
    if (left < 12)
        return 0;
    chunk->length = big_endian(data);
    if (chunk->length > left - 12)
        return 0;
    for (const uint8_t *letter = data + 4; letter < data + 8; letter++)
        if (!is_letter(*letter))
            return -1;
    memcpy(chunk->type, data + 4, sizeof chunk->type);
    chunk->crc = big_endian(data + 8 + chunk->length);
    return 1;
}
