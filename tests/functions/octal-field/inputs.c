// entry: parse_octal
// harmless: an index instead of a moving pointer, a shift instead of a product
// harmful: a space may no longer end the number
// taken: field has room for `width` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t width = n_size();
    char *field = n_letters(width, "  01234567");
    for (size_t i = width - (width > 0); i > 0 && n_percent(60); i--)
        field[i] = n_percent(50) ? ' ' : 0;
    n_show("field", field, width);
    n_result(parse_octal(field, width));
}
