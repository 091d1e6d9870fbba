// entry: base_name
// harmless: the loop is replaced by strrchr
// harmful: a slash right behind another one is part of the name
// taken: path is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *path = n_text("ab/.");
    n_show_text("path", path);
    n_show_place("result", base_name(path), path);
}
