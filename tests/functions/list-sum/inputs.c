// entry: total
// harmless: a for loop with a helper for what is negative
// harmful: from the third node on a negative value counts
// taken: list ends; list may be null
#include "../natural.h"
#include VERSION

static struct node *make(size_t count) {
    struct node *list = NULL;
    while (count-- > 0) {
        struct node *node = n_new(sizeof *node);
        node->value = (int)n_between(-9, 9);
        node->next = list;
        list = node;
    }
    return list;
}

static void try_once(void) {
    struct node *list = make(n_below(13));
    for (struct node *node = list; node; node = node->next)
        n_show_number("node", node->value);
    n_result(total(list));
}
