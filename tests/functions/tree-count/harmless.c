#include <stddef.h>

struct node {
    int key;
    struct node *left, *right;
};

/* How many keys of a tree are within limits. */
unsigned tree_count(const struct node *tree, int low, int high) {
    unsigned count = 0;
    while (tree != NULL) {
        if (!(tree->key < low || tree->key > high))
            count++;
        count += tree_count(tree->left, low, high);
        tree = tree->right;
    }
    return count;
}
