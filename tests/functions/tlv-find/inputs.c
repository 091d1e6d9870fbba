// entry: find_record
// harmless: a pointer and an end instead of an offset
// harmful: the check of a record's length forgets the record's head
// taken: data has room for `size` bytes; length is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    for (size_t i = 0; i < size; i++)
        if (n_percent(80))
            data[i] = (uint8_t)n_below(4);
    size_t length = 77;
    uint8_t type = (uint8_t)n_below(4);
    n_show("data", data, size);
    n_show_number("type", type);
    n_show_place("result", find_record(data, size, type, &length), data);
    n_show_number("length", (long)length);
}
