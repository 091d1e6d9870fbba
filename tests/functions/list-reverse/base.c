#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/* Turns a list around. */
struct node *list_reverse(struct node *list) {
    struct node *done = NULL;
    while (list != NULL) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}
