// entry: list_insert
// harmless: a pointer to the link instead of the node before
// harmful: behind equal keys it goes to the second place only
// taken: *list ends; list is not null; node is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct node *list = NULL;
    int key = 12;
    for (size_t count = n_below(13); count > 0; count--) {
        struct node *node = n_new(sizeof *node);
        key -= (int)n_below(3);
        *node = (struct node){list, key};
        list = node;
    }
    struct node *node = n_new(sizeof *node);
    *node = (struct node){NULL, (int)n_between(-4, 14)};
    for (struct node *each = list; each; each = each->next)
        n_show_number("node", each->key);
    n_show_number("key", node->key);
    list_insert(&list, node);
    for (struct node *each = list; each; each = each->next)
        n_show_number(each == node ? "new" : "after", each->key);
}
