// entry: format_number
// harmless: the digits are counted first and written in place
// harmful: the room of the terminator is forgotten
// taken: out has room for `room` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    unsigned value = (unsigned)n_number();
    if (n_percent(50))
        value %= 100000;
    size_t room = n_below(13);
    char *out = n_new(room);
    memset(out, '~', room);
    n_show_number("value", value);
    n_show_number("room", (long)room);
    n_result(format_number(value, out, room));
    n_show("out", out, room);
}
