#include <stddef.h>

struct node {
    struct node *left, *right;
};

/* How many levels a tree has. */
int tree_height(const struct node *tree) {
    if (tree == NULL)
        return 0;
    int left = tree_height(tree->left);
    int right = tree_height(tree->right);
    return 1 + (right > left ? right : left);
}
