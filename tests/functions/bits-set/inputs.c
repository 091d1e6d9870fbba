// entry: bits_set
// harmless: shifts and masks instead of division
// harmful: the check of the limit is one too generous
// taken: set is not null; set->words has room for `(set->count + 31) / 32` elements
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct bits set;
    set.count = n_percent(60) ? 32 * n_below(4) : n_below(100);
    size_t words = (set.count + 31) / 32;
    set.words = n_new(words * sizeof *set.words);
    for (size_t i = 0; i < words; i++)
        set.words[i] = (uint32_t)n_number();
    unsigned index = n_percent(50) ? (unsigned)(set.count + n_below(2)) : n_below(100);
    n_show("words", set.words, words * sizeof *set.words);
    n_show_number("count", (long)set.count);
    n_show_number("index", index);
    n_result(bits_set(&set, index));
    n_show("after", set.words, words * sizeof *set.words);
}
