// entry: ring_write
// harmless: two calls of memcpy instead of a loop
// harmful: what is written over the end goes to the second place on
// taken: ring is not null; ring->data has 16 elements; from has room for `count` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct ring ring;
    memset(ring.data, 0, sizeof ring.data);
    ring.start = n_below(16);
    ring.used = n_below(17);
    unsigned count = (unsigned)n_size();
    uint8_t *from = n_bytes(count);
    n_show_number("start", ring.start);
    n_show_number("used", ring.used);
    n_show("from", from, count);
    n_result(ring_write(&ring, from, count));
    n_show("data", ring.data, sizeof ring.data);
    n_show_number("used", ring.used);
}
