#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/* Turns a list around. */
struct node *list_reverse(struct node *list) {
    struct node *done = NULL;
    for (struct node *rest; list != NULL; list = rest) {
        rest = list->next;
        list->next = done;
        done = list;
    }
    return done;
}
