// entry: from_hex
// harmless: a helper's chain of conditions became a lookup with an offset
// harmful: the digit F is not known in capitals
// taken: text is a string; out has room for `room` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *text = n_text("0123456789abcdefABCDEF");
    if (n_percent(70))
        text[strlen(text) / 2 * 2] = 0;
    size_t room = n_size();
    uint8_t *out = n_new(room);
    memset(out, 0, room);
    n_show_text("text", text);
    n_show_number("room", (long)room);
    n_result(from_hex(text, out, room));
    n_show("out", out, room);
}
