// entry: pack
// harmless: the run is found by a pointer
// harmful: the last pair is written with room for one byte only
// taken: data has room for `size` bytes; out has room for `room` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_new(size);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)n_below(2);
    size_t room = n_size();
    uint8_t *out = n_new(room);
    memset(out, 0, room);
    n_show("data", data, size);
    n_show_number("room", (long)room);
    n_result(pack(data, size, out, room));
    n_show("out", out, room);
}
