// entry: read_number
// harmless: the two conditions of the loop are one range check
// harmful: the limit of the digits is one too high
// taken: end is the end of at; value is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    char *text = n_letters(size, "0123456789");
    for (size_t i = 0; i < 2 && i < size; i++)
        if (n_percent(40))
            text[i] = ' ';
    if (size > 0 && n_percent(40))
        text[n_below((unsigned)size)] = ';';
    unsigned value = 0;
    n_show("text", text, size);
    n_show_place("result", read_number(text, text + size, &value), text);
    n_show_number("value", value);
}
