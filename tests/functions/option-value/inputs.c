// entry: option_value
// harmless: the comparison is written as a loop
// harmful: the sign behind the name is skipped without being looked at
// taken: argument is a string; name is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    static const char *const like[] = {"--size=10", "--si", "--size", "--sizes", "--=", "--in=x"};
    char *argument = n_percent(80) ? n_copy(like[n_below(6)], "=sx-", 0) : n_text("-=s");
    char *name = n_copy(n_percent(60) ? "size" : n_percent(50) ? "in" : "", "s", 0);
    n_show_text("argument", argument);
    n_show_text("name", name);
    n_show_place("result", option_value(argument, name), argument);
}
