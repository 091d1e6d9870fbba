// entry: list_reverse
// harmless: a for loop over the rest
// harmful: nodes behind the third one are lost
// taken: list ends; list may be null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct node *list = NULL;
    for (size_t count = n_below(13); count > 0; count--) {
        struct node *node = n_new(sizeof *node);
        node->key = (int)n_below(100);
        node->next = list;
        list = node;
        n_show_number("node", node->key);
    }
    for (struct node *each = list_reverse(list); each; each = each->next)
        n_show_number("after", each->key);
}
