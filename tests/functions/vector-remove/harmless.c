#include <stddef.h>
#include <string.h>

struct vector {
    int *items;
    size_t length;
    size_t capacity;
};

/* Takes an element out; 0 if there is none at the index. */
int vector_remove(struct vector *vector, size_t index) {
    if (index >= vector->length)
        return 0;
    size_t behind = --vector->length - index;
    if (behind > 0)
        memmove(vector->items + index, vector->items + index + 1, behind * sizeof vector->items[0]);
    return 1;
}
