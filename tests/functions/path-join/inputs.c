// entry: join
// harmless: lengths are taken once, and memcpy copies
// harmful: the room of the slash is forgotten
// taken: folder is a string; name is a string; out has room for `room` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *folder = n_text("ab/"), *name = n_text("xy/");
    size_t room = n_size() + n_size();
    char *out = n_new(room);
    memset(out, '~', room);
    n_show_text("folder", folder);
    n_show_text("name", name);
    n_show_number("room", (long)room);
    n_result(join(out, room, folder, name));
    n_show("out", out, room);
}
