// entry: tree_find
// harmless: recursion became a loop
// harmful: below the second level the sides are not told apart
// taken: tree ends; tree may be null
#include "../natural.h"
#include VERSION

static struct node *make(int low, int high, unsigned depth) {
    if (low > high || depth == 0 || n_percent(15))
        return NULL;
    struct node *node = n_new(sizeof *node);
    node->key = (int)n_between(low, high);
    node->value = (int)n_below(1000);
    node->left = make(low, node->key - 1, depth - 1);
    node->right = make(node->key + 1, high, depth - 1);
    return node;
}

static void show(const struct node *tree) {
    if (tree == NULL) {
        printf(" -");
        return;
    }
    printf(" (%d:%d", tree->key, tree->value);
    show(tree->left);
    show(tree->right);
    printf(")");
}

static void try_once(void) {
    struct node *tree = make(0, 20, 5);
    int key = (int)n_between(0, 20), value = 0;
    show(tree);
    n_show_number("key", key);
    n_result(tree_find(tree, key, &value));
    n_show_number("value", value);
}
