// RUN: incise run %s --entry overlay
// EXPECT: paths=4 errors=0 complete=true exit=0
// A symbolic byte offset into structs: a wide read sees parts of two fields.
#include <stdint.h>
#include <string.h>

struct packet {
    uint8_t kind;
    uint8_t flags;
    uint16_t length;
    uint32_t payload;
};

int overlay(unsigned offset, uint8_t patch) {
    struct packet packet = {1, 2, 0x0304, 0x05060708};
    uint8_t *bytes = (uint8_t *)&packet;
    if (offset > 6) {
        return -1;
    }
    bytes[offset] = patch;
    uint16_t half;
    memcpy(&half, bytes + 1, sizeof half);
    if (packet.length == 0x03ff) {
        return 1;
    }
    if (half == 0x0405) {
        return 2;
    }
    if (packet.payload >> 24 != 5) {
        return 3; /* never: the offset is at most 6 */
    }
    return packet.kind == 9 ? 4 : 5;
}
