// entry: extension
// harmless: one loop from the end became one from the start
// harmful: a dot at the start of the name begins an extension
// taken: path is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *path = n_text("a/.c");
    n_show_text("path", path);
    n_show_place("result", extension(path), path);
}
