// entry: month_number
// harmless: a counted loop became one up to the null at the end of the table
// harmful: one name is misspelt
// taken: name is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    static const char *const like[] = {"january", "february", "march", "april", "september", "september", "december"};
    char *name = n_percent(90) ? n_copy(like[n_below(7)], "aeb", 0) : n_text("jan");
    n_show_text("name", name);
    n_result(month_number(name));
}
