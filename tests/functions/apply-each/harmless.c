#include <stddef.h>

/* Calls a function for each item until one call returns something else than 0; returns that. */
int apply_each(const int *items, size_t count, int (*visit)(void *, int), void *context) {
    int result = 0;
    for (; count > 0 && result == 0; count--)
        result = visit(context, *items++);
    return result;
}
