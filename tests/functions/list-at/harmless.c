#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/* The node at an index, or null if the list is shorter. */
struct node *list_at(struct node *list, unsigned index) {
    while (list != NULL && index-- > 0)
        list = list->next;
    return list;
}
