// entry: find_key
// harmless: the middle is computed from the other end, the limits are half open
// harmful: the element before the middle is skipped
// taken: keys has room for `count` elements
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t count = n_below(13);
    int *keys = n_new(count * sizeof *keys);
    int key = (int)n_between(-5, 5);
    for (size_t i = 0; i < count; i++)
        keys[i] = key += 1 + (int)n_below(3);
    int wanted = count > 0 && n_percent(70) ? keys[n_below((unsigned)count)] : (int)n_between(-6, 20);
    for (size_t i = 0; i < count; i++)
        n_show_number("key", keys[i]);
    n_show_number("wanted", wanted);
    n_result(find_key(keys, count, wanted));
}
