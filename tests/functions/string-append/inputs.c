// entry: append
// harmless: the end is found by strlen, the copy is made by a helper
// harmful: one byte more is taken to be free
// taken: to is a string; to has room for `room` bytes; from is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *from = n_text("ab");
    size_t room = 1 + n_size();
    char *to = n_new(room);
    memset(to, 'x', room);
    to[n_below((unsigned)room)] = 0;
    n_show_text("to", to);
    n_show_text("from", from);
    n_show_number("room", (long)room);
    n_result(append(to, from, room));
    n_show("after", to, room);
}
