// entry: parse_status
// harmless: the digits are read by a pointer, the prefix is compared by memcmp's sibling in a helper
// harmful: nothing is required behind the number any more
// taken: line is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    static const char *const like[] = {"HTTP/1.1 200 OK", "HTTP/1.0 404", "HTTP/1.1 099", "HTTP/1.1 2000", "HTTP/1.1 50x"};
    char *line = n_percent(80) ? n_copy(like[n_below(5)], "0129 xH.", 0) : n_text("HTP/1.0 29");
    n_show_text("line", line);
    n_result(parse_status(line));
}
