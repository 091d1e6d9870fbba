// entry: decode
// harmless: the continuation bytes are read in a loop
// harmful: sequences of three bytes that are too long are accepted
// taken: text has room for `size` bytes; code is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    uint8_t *text = n_bytes(size);
    for (size_t i = 0; i < size; i++)
        if (n_percent(85))
            text[i] = i == 0 ? (uint8_t)"aaz\xc3\xe0\xe0\xe2\xed\xf0\xf4"[n_below(10)] : (uint8_t)(0x80 + n_below(64));
    uint32_t code = 0;
    n_show("text", text, size);
    n_result(decode(text, size, &code));
    n_show_number("code", code);
}
