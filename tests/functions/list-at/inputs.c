// entry: list_at
// harmless: counted down in the condition of the loop
// harmful: the fourth node is skipped
// taken: list ends; list may be null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct node *list = NULL;
    for (size_t count = n_below(13); count > 0; count--) {
        struct node *node = n_new(sizeof *node);
        node->key = (int)n_number();
        node->next = list;
        list = node;
        n_show_number("node", node->key);
    }
    unsigned index = n_below(14);
    n_show_number("index", index);
    struct node *found = list_at(list, index);
    if (found)
        n_show_number("key", found->key);
}
