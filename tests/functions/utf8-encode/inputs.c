// entry: encode
// harmless: written from the last byte on
// harmful: the third byte of four takes the wrong bits
// taken: out has 4 elements
#include "../natural.h"
#include VERSION

static void try_once(void) {
    uint32_t code = n_percent(50) ? n_below(0x110000) : (uint32_t)n_number();
    uint8_t *out = n_new(4);
    memset(out, 0, 4);
    n_show_number("code", code);
    n_result(encode(code, out));
    n_show("out", out, 4);
}
