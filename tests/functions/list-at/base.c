#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/* The node at an index, or null if the list is shorter. */
struct node *list_at(struct node *list, unsigned index) {
    for (unsigned i = 0; list != NULL; i++) {
        if (i == index)
            return list;
        list = list->next;
    }
    return NULL;
}
