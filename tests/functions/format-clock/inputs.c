// entry: format_clock
// harmless: a helper writes two digits
// harmful: the last digit of the minutes is a remainder by six
// taken: out has 9 elements
#include "../natural.h"
#include VERSION

static void try_once(void) {
    unsigned seconds = n_percent(80) ? n_below(90000) : (unsigned)n_number();
    char *out = n_new(9);
    memset(out, '~', 9);
    n_show_number("seconds", seconds);
    format_clock(seconds, out);
    n_show("out", out, 9);
}
