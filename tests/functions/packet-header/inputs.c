// entry: parse_header
// harmless: a helper for sixteen bits, the checks of the length merged
// harmful: the bytes of the port are swapped
// taken: data has room for `size` bytes; header is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    struct header *header = n_new(sizeof *header);
    if (size > 3 && n_percent(90)) {
        data[0] = 0x20 | (data[0] & 15);
        data[2] = 0;
        data[3] = (uint8_t)n_below((unsigned)size + 3);
    }
    memset(header, 0, sizeof *header);
    n_show("data", data, size);
    n_result(parse_header(data, size, header));
    n_show_number("version", header->version);
    n_show_number("flags", header->flags);
    n_show_number("length", header->length);
    n_show_number("port", header->port);
}
