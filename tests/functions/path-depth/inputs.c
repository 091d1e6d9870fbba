// entry: depth
// harmless: a switch over what a component is
// harmful: a component of two dots is counted like another one
// taken: path is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *path = n_text("a//..");
    n_show_text("path", path);
    n_result(depth(path));
}
