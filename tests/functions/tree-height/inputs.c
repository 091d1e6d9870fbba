// entry: tree_height
// harmless: the larger one is chosen by an operator
// harmful: a right child that is higher counts only if there is a left one
// taken: tree ends; tree may be null
#include "../natural.h"
#include VERSION

static struct node *make(unsigned depth) {
    if (depth == 0 || n_percent(35))
        return NULL;
    struct node *node = n_new(sizeof *node);
    node->left = make(depth - 1);
    node->right = make(depth - 1);
    return node;
}

static void show(const struct node *tree) {
    if (tree == NULL) {
        printf(" -");
        return;
    }
    printf(" (");
    show(tree->left);
    show(tree->right);
    printf(")");
}

static void try_once(void) {
    struct node *tree = make(5);
    show(tree);
    n_result(tree_height(tree));
}
