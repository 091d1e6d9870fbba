// entry: vector_remove
// harmless: memmove instead of a loop
// harmful: the last element is not moved up
// taken: vector is not null; vector->items has room for `vector->length` elements
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct vector vector;
    vector.length = n_below(13);
    vector.capacity = vector.length + n_below(3);
    vector.items = n_new(vector.capacity * sizeof *vector.items);
    for (size_t i = 0; i < vector.capacity; i++)
        vector.items[i] = (int)n_below(100);
    size_t index = n_below((unsigned)vector.length + 2);
    n_show("items", vector.items, vector.length * sizeof *vector.items);
    n_show_number("index", (long)index);
    n_result(vector_remove(&vector, index));
    n_show_number("length", (long)vector.length);
    n_show("after", vector.items, vector.length * sizeof *vector.items);
}
