// entry: compare_words
// harmless: one loop condition instead of returns within the loop
// harmful: the letter Z is not made small
// taken: a is a string; b is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *a = n_text("azAZ");
    char *b = n_percent(60) ? n_copy(a, "azAZ", 0) : n_text("azAZ");
    for (char *c = b; *c; c++)
        if (n_percent(30))
            *c ^= 0x20;
    n_show_text("a", a);
    n_show_text("b", b);
    n_result(compare_words(a, b));
}
