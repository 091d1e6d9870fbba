#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

/* Takes all nodes with a key out of a list; returns how many. */
int list_remove(struct node **list, int key) {
    int count = 0;
    for (struct node **link = list; *link != NULL;) {
        if ((*link)->key == key) {
            *link = (*link)->next;
            count++;
        } else {
            link = &(*link)->next;
        }
    }
    return count;
}
