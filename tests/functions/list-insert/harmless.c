#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/* Puts a node into a sorted list, behind those of the same key. */
void list_insert(struct node **list, struct node *node) {
    while (*list != NULL && !((*list)->key > node->key))
        list = &(*list)->next;
    node->next = *list;
    *list = node;
}
