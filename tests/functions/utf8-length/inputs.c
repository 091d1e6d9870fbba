// entry: characters
// harmless: counted by an index, with the comparison of a signed byte
// harmful: bytes that begin a character of two or more bytes are not counted
// taken: text is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *text = n_text("ab\xc3\xa4\xe2\x82\xac");
    n_show_text("text", text);
    n_result(characters(text));
}
