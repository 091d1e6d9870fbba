// entry: squeeze
// harmless: a read and a write index instead of pointers
// harmful: a blank behind a comma is dropped as well
// taken: text is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *text = n_text("a,   ");
    size_t size = strlen(text) + 1;
    n_show_text("text", text);
    squeeze(text);
    n_show("after", text, size);
}
