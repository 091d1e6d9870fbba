#include <stddef.h>

struct node {
    int key;
    int value;
    struct node *left, *right;
};

/* The value of a key in a search tree; 0 if it is not there. */
int tree_find(const struct node *tree, int key, int *value) {
    if (tree == NULL)
        return 0;
    if (key < tree->key)
        return tree_find(tree->left, key, value);
    if (key > tree->key)
        return tree_find(tree->right, key, value);
    *value = tree->value;
    return 1;
}
