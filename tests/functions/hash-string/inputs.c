// entry: hash
// harmless: an index, the product written as shifts
// harmful: bytes above 127 are taken with their sign
// taken: key is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *key = n_text("abz\xc3\xa4");
    n_show_text("key", key);
    n_result(hash(key));
}
