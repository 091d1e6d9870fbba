// entry: unix_lines
// harmless: the state is an enumeration and a switch
// harmful: two carriage returns in a row lose one
// taken: data has room for `size` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t size = n_size();
    char *data = n_letters(size, "a\r\r\n");
    n_show("data", data, size);
    size_t left = unix_lines(data, size);
    n_result(left);
    n_show("after", data, left);
}
