// entry: parse_address
// harmless: the number of digits comes from the distance of two pointers
// harmful: 256 is accepted
// taken: text is a string; address is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    static const char *const like[] = {"256.0.0.1", "10.0.0.256", "1.2.3.4", "192.168.1.255", "0.256.0.0", "1.1.1.1"};
    char *text = n_percent(90) ? n_copy(like[n_below(6)], "01256.", 0) : n_text("012.");
    uint32_t address = 0;
    n_show_text("text", text);
    n_result(parse_address(text, &address));
    n_show_number("address", address);
}
