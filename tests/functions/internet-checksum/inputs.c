// entry: checksum
// harmless: a pointer and a counter that goes down
// harmful: the odd last byte counts as the low one
// taken: data has room for `size` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    n_show("data", data, size);
    n_result(checksum(data, size));
}
