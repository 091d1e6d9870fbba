// entry: put_number
// harmless: the loop tests at its end
// harmful: 128 is taken to fit into one byte
// taken: out has 10 elements
#include "../natural.h"
#include VERSION

static void try_once(void) {
    uint64_t value = (uint64_t)n_number();
    uint8_t *out = n_new(10);
    memset(out, 0, 10);
    n_show_number("value", (long long)value);
    n_result(put_number(value, out));
    n_show("out", out, 10);
}
