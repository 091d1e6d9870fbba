// entry: find_last
// harmless: searched from the end
// harmful: the search stops at the second find
// taken: text is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *text = n_text("aab");
    char wanted = "abc\0"[n_below(4)];
    n_show_text("text", text);
    n_show_number("wanted", wanted);
    n_show_place("result", find_last(text, wanted), text);
}
