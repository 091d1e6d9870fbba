// entry: decode
// harmless: the bits are gathered in one number
// harmful: the second byte takes one bit too few of its first digit
// taken: text has room for `length` bytes; out has room for `room` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t length = n_percent(80) ? 4 * n_below(4) : n_size();
    char *text = n_letters(length, "ABCDabcdxyzXYZ0189+/");
    size_t room = n_percent(80) ? length / 4 * 3 : n_size();
    uint8_t *out = n_new(room);
    memset(out, 0, room);
    n_show("text", text, length);
    n_show_number("room", (long)room);
    n_result(decode(text, length, out, room));
    n_show("out", out, room);
}
