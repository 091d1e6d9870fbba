// entry: crc
// harmless: a loop over the two halves of a byte
// harmful: one entry of the table is wrong
// taken: data has room for `size` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *data = n_bytes(size);
    n_show("data", data, size);
    n_result(crc(data, size));
}
