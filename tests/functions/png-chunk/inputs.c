// entry: read_chunk
// harmless: the type is copied by memcpy after a helper looked at it
// harmful: the bounds check forgets the four bytes behind the data
// taken: data has room for `left` bytes; chunk is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t left = n_percent(70) ? (size_t)n_between(12, 20) : n_size();
    uint8_t *data = n_bytes(left);
    if (left > 3 && n_percent(90)) {
        memset(data, 0, 3);
        data[3] = (uint8_t)n_below(10);
    }
    for (size_t i = 4; i < 8 && i < left; i++)
        if (n_percent(95))
            data[i] = (uint8_t)"IHDRidatzZaA"[n_below(12)];
    struct chunk chunk;
    memset(&chunk, 0, sizeof chunk);
    n_show("data", data, left);
    n_result(read_chunk(data, left, &chunk));
    n_show_number("length", chunk.length);
    n_show("type", chunk.type, 4);
    n_show_number("crc", chunk.crc);
}
