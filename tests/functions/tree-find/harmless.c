#include <stddef.h>

struct node {
    int key;
    int value;
    struct node *left, *right;
};

/* The value of a key in a search tree; 0 if it is not there. */
int tree_find(const struct node *tree, int key, int *value) {
    while (tree != NULL && tree->key != key)
        tree = key < tree->key ? tree->left : tree->right;
    if (tree == NULL)
        return 0;
    *value = tree->value;
    return 1;
}
