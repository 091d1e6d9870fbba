// entry: unpack
// harmless: memset instead of a loop
// harmful: the check of the room is one too generous
// taken: data has room for `size` bytes; out has room for `room` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    for (size_t i = 0; i < size; i += 2)
        if (n_percent(95))
            data[i] = (uint8_t)n_below(4);
    size_t room = n_size();
    uint8_t *out = n_new(room);
    memset(out, 0, room);
    n_show("data", data, size);
    n_show_number("room", (long)room);
    n_result(unpack(data, size, out, room));
    n_show("out", out, room);
}
