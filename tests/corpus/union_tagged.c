// RUN: incise run %s --entry evaluate
// EXPECT: paths=4 errors=0 complete=true exit=0
// A tagged union with an anonymous member.

enum kind { NUMBER, NEGATION, SUM };

struct node {
    enum kind kind;
    union {
        int number;
        const struct node *operand;
        struct {
            const struct node *left;
            const struct node *right;
        };
    };
};

static int value_of(const struct node *node) {
    switch (node->kind) {
    case NUMBER: return node->number;
    case NEGATION: return -value_of(node->operand);
    case SUM: return value_of(node->left) + value_of(node->right);
    }
    return 0;
}

int evaluate(signed char number, unsigned shape) {
    struct node leaf = {NUMBER, .number = number};
    struct node negation = {NEGATION, .operand = &leaf};
    struct node sum = {SUM, .left = &leaf, .right = &negation};
    struct node deep = {SUM, .left = &sum, .right = &leaf};
    if (shape == 0) {
        return value_of(&leaf);
    } else if (shape == 1) {
        return value_of(&negation);
    } else if (shape == 2) {
        return value_of(&sum);
    }
    return value_of(&deep) == number ? 1 : value_of(&deep) > 0 ? 77 : 78;
}
