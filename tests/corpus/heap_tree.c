// RUN: incise run %s
// EXPECT: paths=13 errors=0 complete=true exit=0
// A binary search tree of three symbolic keys; equal keys are dropped.
#include "klee/klee.h"
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static void insert(struct tree **at, int key) {
    while (*at) {
        if (key == (*at)->key) {
            return;
        }
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
}

static int depth(const struct tree *tree) {
    if (!tree) {
        return 0;
    }
    int left = depth(tree->left), right = depth(tree->right);
    return 1 + (left > right ? left : right);
}

static void release(struct tree *tree) {
    if (tree) {
        release(tree->left);
        release(tree->right);
        free(tree);
    }
}

int main(void) {
    int keys[3];
    struct tree *root = NULL;
    klee_make_symbolic(keys, sizeof keys, "keys");
    for (int i = 0; i < 3; i++) {
        insert(&root, keys[i]);
    }
    int result = depth(root);
    release(root);
    return result;
}
