#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/* Puts a node into a sorted list, behind those of the same key. */
void list_insert(struct node **list, struct node *node) {
    struct node *before = NULL, *at = *list;
    while (at != NULL && at->key <= node->key) {
        before = at;
        at = at->next;
    }
    node->next = at;
    if (before == NULL)
        *list = node;
    else
        before->next = node;
}
