// entry: next_field
// harmless: the loop only looks, what it found is handled behind it
// harmful: the place is not cleared after the last field
// taken: *rest is a string; rest is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *text = n_text("ab::;");
    size_t size = strlen(text) + 1;
    char *rest = n_percent(90) ? text : NULL;
    char separator = ":;"[n_below(2)];
    n_show_text("text", rest);
    n_show_number("separator", separator);
    n_show_place("result", next_field(&rest, separator), text);
    n_show_place("rest", rest, text);
    n_show("after", text, size);
}
