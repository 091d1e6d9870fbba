// entry: ring_get
// harmless: early return turned around, the position computed without a branch
// harmful: the head wraps around one place too late
// taken: ring is not null; ring->data has room for `ring->size` elements; ring->first is at most `ring->size - 1`; value is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct ring ring;
    ring.size = 1 + (unsigned)n_size();
    ring.data = n_new(ring.size * sizeof *ring.data);
    for (unsigned i = 0; i < ring.size; i++)
        ring.data[i] = (int)n_number();
    ring.first = n_below(ring.size);
    ring.used = n_below(ring.size + 1);
    int value = 0;
    n_show("data", ring.data, ring.size * sizeof *ring.data);
    n_show_number("size", ring.size);
    n_show_number("first", ring.first);
    n_show_number("used", ring.used);
    n_result(ring_get(&ring, &value));
    n_show_number("value", value);
    n_show_number("first", ring.first);
    n_show_number("used", ring.used);
}
