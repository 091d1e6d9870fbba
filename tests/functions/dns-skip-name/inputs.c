// entry: skip_name
// harmless: a switch over the upper bits
// harmful: a pointer whose second byte is missing is accepted
// taken: message has room for `size` bytes; at is not negative
#include "../natural.h"
#include VERSION

static void try_once(void) {
    int size = (int)n_size();
    uint8_t *message = n_bytes((size_t)size);
    for (int i = 0; i < size; i++)
        if (n_percent(80))
            message[i] = n_percent(70) ? (uint8_t)n_below(4) : 0xc0;
    int at = (int)n_below((unsigned)size + 1);
    n_show("message", message, (size_t)size);
    n_show_number("at", at);
    n_result(skip_name(message, size, at));
}
