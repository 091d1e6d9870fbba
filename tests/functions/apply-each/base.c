#include <stddef.h>

/* Calls a function for each item until one call returns something else than 0; returns that. */
int apply_each(const int *items, size_t count, int (*visit)(void *, int), void *context) {
    for (size_t i = 0; i < count; i++) {
        int result = visit(context, items[i]);
        if (result != 0)
            return result;
    }
    return 0;
}
