// entry: reverse
// harmless: pointers from both ends
// harmful: the two in the middle stay
// taken: bytes has room for `size` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *bytes = n_bytes(size);
    n_show("bytes", bytes, size);
    reverse(bytes, size);
    n_show("after", bytes, size);
}
