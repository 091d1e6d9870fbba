// entry: append_error
// harmless: a switch became a table
// harmful: one case is missing
// taken: out has room for `room` bytes; error is an enumerator
#include "../natural.h"
#include VERSION

static void try_once(void) {
    enum error error = (enum error)n_below(6);
    size_t room = n_size();
    char *out = n_new(room);
    memset(out, '~', room);
    n_show_number("error", error);
    n_show_number("room", (long)room);
    n_result(append_error(error, out, room));
    n_show("out", out, room);
}
