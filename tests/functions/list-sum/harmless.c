#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static unsigned positive(int value) {
    return value > 0 ? (unsigned)value : 0;
}

/* The sum of the values that are not negative. */
unsigned total(const struct node *list) {
    unsigned sum = 0;
    for (; list; list = list->next)
        sum += positive(list->value);
    return sum;
}
