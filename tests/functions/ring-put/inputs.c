// entry: ring_put
// harmless: the remainder became a comparison
// harmful: the place behind the last one is not wrapped around
// taken: ring is not null; ring->data has room for `ring->capacity` bytes; ring->head is at most `ring->capacity - 1`; ring->count is at most `ring->capacity`
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct ring ring;
    ring.capacity = 1 + n_size();
    ring.data = n_bytes(ring.capacity);
    ring.head = n_below((unsigned)ring.capacity);
    ring.count = n_below((unsigned)ring.capacity + 1);
    uint8_t byte = n_byte();
    n_show("data", ring.data, ring.capacity);
    n_show_number("head", (long)ring.head);
    n_show_number("count", (long)ring.count);
    n_result(ring_put(&ring, byte));
    n_show("after", ring.data, ring.capacity);
    n_show_number("head", (long)ring.head);
    n_show_number("count", (long)ring.count);
}
