#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

/* The sum of the values that are not negative. */
unsigned total(const struct node *list) {
    unsigned sum = 0;
    while (list != NULL) {
        if (list->value >= 0)
            sum += (unsigned)list->value;
        list = list->next;
    }
    return sum;
}
