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
    for (size_t i = index; i + 2 < vector->length; i++)
        vector->items[i] = vector->items[i + 1];
    vector->length--;
    return 1;
}
