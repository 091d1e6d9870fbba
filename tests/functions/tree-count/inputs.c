// entry: tree_count
// harmless: one of the two recursions became a loop
// harmful: the upper limit is left out of the count in right subtrees
// taken: tree ends; tree may be null
#include "../natural.h"
#include VERSION

static struct node *make(int low, int high, unsigned depth) {
    if (low > high || depth == 0 || n_percent(15))
        return NULL;
    struct node *node = n_new(sizeof *node);
    node->key = (int)n_between(low, high);
    node->left = make(low, node->key - 1, depth - 1);
    node->right = make(node->key + 1, high, depth - 1);
    return node;
}

static void show(const struct node *tree) {
    if (tree == NULL) {
        printf(" -");
        return;
    }
    printf(" (%d", tree->key);
    show(tree->left);
    show(tree->right);
    printf(")");
}

static void try_once(void) {
    struct node *tree = make(0, 20, 4);
    int low = (int)n_between(-1, 15), high = (int)n_between(low, 21);
    show(tree);
    n_show_number("low", low);
    n_show_number("high", high);
    n_result(tree_count(tree, low, high));
}
