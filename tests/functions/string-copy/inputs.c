// entry: copy
// harmless: strlen and memcpy instead of a loop
// harmful: a text that does not fit gets no terminator
// taken: from is a string; to has room for `room` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *from = n_text("abc");
    size_t room = n_size();
    char *to = n_new(room);
    memset(to, 'x', room);
    n_show_text("from", from);
    n_show_number("room", (long)room);
    n_result(copy(to, from, room));
    n_show("to", to, room);
}
