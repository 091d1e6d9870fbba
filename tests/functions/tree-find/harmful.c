#include <stddef.h>

struct node {
    int key;
    int value;
    struct node *left, *right;
};

/* The value of a key in a search tree; 0 if it is not there. */
int tree_find(const struct node *tree, int key, int *value) {
    for (int level = 0; tree != NULL && tree->key != key; level++) {
        if (level < 2)
            tree = key < tree->key ? tree->left : tree->right;
        else
            tree = tree->left != NULL ? tree->left : tree->right;
    }
    if (tree == NULL)
        return 0;
    *value = tree->value;
    return 1;
}
