// entry: to_hex
// harmless: pointers instead of indices
// harmful: the terminator is missing
// taken: data has room for `size` bytes; out has room for `room` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    size_t room = n_percent(80) ? 2 * size + 1 + n_below(3) : n_size();
    char *out = n_new(room);
    memset(out, 'x', room);
    n_show("data", data, size);
    n_show_number("room", (long)room);
    n_result(to_hex(data, size, out, room));
    n_show("out", out, room);
}
