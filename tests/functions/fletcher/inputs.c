// entry: fletcher
// harmless: conditional subtraction instead of a remainder
// harmful: the second sum is not reduced
// taken: end is the end of data
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    n_show("data", data, size);
    n_result(fletcher(data, data + size));
}
