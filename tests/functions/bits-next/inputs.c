// entry: bits_next
// harmless: a mask, and one way out of the loop
// harmful: the search ends at the end of the second byte
// taken: bytes has room for `(limit + 7) / 8` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    unsigned limit = n_below(97);
    unsigned size = (limit + 7) / 8;
    uint8_t *bytes = n_new(size);
    for (unsigned i = 0; i < size; i++)
        bytes[i] = n_percent(60) ? 0 : n_byte();
    unsigned from = n_below(limit + 3);
    n_show("bytes", bytes, size);
    n_show_number("limit", limit);
    n_show_number("from", from);
    n_result(bits_next(bytes, limit, from));
}
