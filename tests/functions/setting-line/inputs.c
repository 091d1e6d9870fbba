// entry: split_setting
// harmless: a helper that skips blanks, early return for comments turned around
// harmful: the value's check of its room leaves none for the terminator
// taken: line is a string; key has room for `room` bytes; value has room for `room` bytes; room is not 0
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *line = n_text("abc= \t#=x=");
    size_t room = 1 + n_size();
    char *key = n_new(room), *value = n_new(room);
    memset(key, 0, room);
    memset(value, 0, room);
    n_show_text("line", line);
    n_show_number("room", (long)room);
    n_result(split_setting(line, key, value, room));
    n_show("key", key, room);
    n_show("value", value, room);
}
