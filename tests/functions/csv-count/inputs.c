// entry: count_fields
// harmless: an index, and a flag that is flipped by exclusive or
// harmful: a quoted field never ends
// taken: line is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *line = n_text("a,,\"\"b\n");
    n_show_text("line", line);
    n_result(count_fields(line));
}
