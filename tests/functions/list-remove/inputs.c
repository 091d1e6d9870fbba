// entry: list_remove
// harmless: a pointer to the link instead of the node before
// harmful: of two such nodes in a row the second one stays
// taken: *list ends; list is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct node *list = NULL;
    for (size_t count = n_below(13); count > 0; count--) {
        struct node *node = n_new(sizeof *node);
        node->key = (int)n_below(3);
        node->next = list;
        list = node;
    }
    for (struct node *each = list; each; each = each->next)
        n_show_number("node", each->key);
    int key = (int)n_below(3);
    n_show_number("key", key);
    n_result(list_remove(&list, key));
    for (struct node *each = list; each; each = each->next)
        n_show_number("after", each->key);
}
