// entry: trim
// harmless: the length is counted down instead of a pointer
// harmful: blanks are not cut if only two characters are left
// taken: text is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *text = n_text("a   \t\n");
    size_t size = strlen(text) + 1;
    n_show_text("text", text);
    char *result = trim(text);
    n_show_place("result", result, text);
    n_show("after", text, size);
}
