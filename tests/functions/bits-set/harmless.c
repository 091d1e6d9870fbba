#include <stddef.h>
#include <stdint.h>

struct bits {
    size_t count;
    uint32_t *words;
};

/* Sets a bit; returns what it was, or -1 if there is no such bit. */
int bits_set(struct bits *set, unsigned index) {
    if (!(index < set->count))
        return -1;
    unsigned shift = index & 31;
    uint32_t word = set->words[index >> 5];
    set->words[index >> 5] = word | (uint32_t)1 << shift;
    return word >> shift & 1;
}
