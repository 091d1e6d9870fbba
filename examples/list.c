/* Inserts a node into a list that is sorted by key. */
#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

struct node *insert(struct node *list, struct node *fresh) {
    struct node *before = NULL;
    struct node *at = list;
    while (at != NULL && at->key < fresh->key) {
        before = at;
        at = at->next;
    }
    fresh->next = at;
    before->next = fresh;
    return list;
}
