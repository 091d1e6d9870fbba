// entry: get_number
// harmless: early return in the loop, the shift computed from the position
// harmful: numbers of nine bytes and more are refused
// taken: end is the end of data; value is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    for (size_t i = 0; i < size; i++)
        if (n_percent(85))
            data[i] |= 0x80;
    if (size > 8 && n_percent(50))
        data[size - 1] &= 0x7f;
    uint64_t value = 0;
    n_show("data", data, size);
    n_show_place("result", get_number(data, data + size, &value), data);
    n_show_number("value", (long long)value);
}
