#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

/* Takes all nodes with a key out of a list; returns how many. */
int list_remove(struct node **list, int key) {
    struct node *before = NULL, *at = *list;
    int count = 0;
    while (at != NULL) {
        if (at->key == key) {
            if (before == NULL)
                *list = at->next;
            else
                before->next = at->next;
            count++;
        } else {
            before = at;
        }
        at = at->next;
    }
    return count;
}
