#include <stddef.h>
#include <stdint.h>

struct bits {
    size_t count;
    uint32_t *words;
};

/* Sets a bit; returns what it was, or -1 if there is no such bit. */
int bits_set(struct bits *set, unsigned index) {
    if (index >= set->count)
        return -1;
    uint32_t mask = (uint32_t)1 << (index % 32);
    uint32_t *word = &set->words[index / 32];
    int before = (*word & mask) != 0;
    *word |= mask;
    return before;
}
