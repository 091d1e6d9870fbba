// entry: apply_each
// harmless: a pointer and an end instead of an index
// harmful: it goes on after a callback said stop, if that was the third one or a later one
// taken: items has room for `count` elements; visit is an unknown function
#include "../natural.h"
#include VERSION

static unsigned visited;

static int stop_at(void *context, int item) {
    visited = visited * 31 + (unsigned)item;
    return item >= *(int *)context;
}

static void try_once(void) {
    size_t count = n_size();
    int *items = n_new(count * sizeof *items), limit = (int)n_below(12);
    for (size_t i = 0; i < count; i++)
        items[i] = (int)n_below(10);
    visited = 0;
    n_show("items", items, count * sizeof *items);
    n_show_number("limit", limit);
    n_result(apply_each(items, count, stop_at, &limit));
    n_show_number("visited", visited);
}
