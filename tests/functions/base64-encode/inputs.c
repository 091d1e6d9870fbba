// entry: encode
// harmless: the check of the room is turned around, the rest is written by one piece of code
// harmful: of the two signs behind a single last byte one is missing
// taken: data has room for `size` bytes; out has room for `room` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    size_t room = (size + 2) / 3 * 4 + 1;
    room = n_percent(70) ? room + n_below(3) : n_below((unsigned)room + 1);
    char *out = n_new(room);
    memset(out, 0, room);
    n_show("data", data, size);
    n_show_number("room", (long)room);
    n_result(encode(data, size, out, room));
    n_show("out", out, room);
}
