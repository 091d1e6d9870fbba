// entry: adler
// harmless: conditional subtraction instead of a remainder
// harmful: the second sum is added up before the first one
// taken: data has room for `size` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    uint32_t before = n_percent(50) ? 1 : n_below(65521) << 16 | n_below(65521);
    n_show("data", data, size);
    n_show_number("before", before);
    n_result(adler(before, data, size));
}
