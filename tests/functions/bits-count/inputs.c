// entry: bits_count
// harmless: bits are added up in parallel
// harmful: the highest bit of each word is not counted
// taken: words has room for `count` elements
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t count = n_size();
    uint32_t *words = n_new(count * sizeof *words);
    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)n_number();
    n_show("words", words, count * sizeof *words);
    n_result(bits_count(words, count));
}
