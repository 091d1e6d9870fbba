#include <stddef.h>
#include <stdint.h>

struct header {
    uint8_t version;
    uint8_t flags;
    uint16_t length;
    uint16_t port;
};

static uint16_t read16(const uint8_t *data) {
    return (uint16_t)(data[0] * 256 + data[1]);
}

/* Reads the header of a packet; returns the size of what follows, or a negative number. */
int parse_header(const uint8_t *data, size_t size, struct header *header) {
    if (size < 8)
        return -1;
    header->version = data[0] >> 4;
    header->flags = data[0] & 0x0f;
    if (header->version != 2)
        return -2;
    header->length = read16(data + 2);
    header->port = read16(data + 4);
    if (header->length < 8 || header->length > size)
        return -3;
    return header->length - 8;
}
