#include <stddef.h>

struct node {
    int key;
    struct node *left, *right;
};

/* How many keys of a tree are within limits. */
unsigned tree_count(const struct node *tree, int low, int high) {
    if (tree == NULL)
        return 0;
    unsigned count = tree->key >= low && tree->key <= high;
    count += tree_count(tree->left, low, high);
    count += tree_count(tree->right, low, tree->key > low ? high - 1 : high);
    return count;
}
