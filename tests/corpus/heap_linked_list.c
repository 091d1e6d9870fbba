// RUN: incise run %s
// EXPECT: paths=8 errors=0 complete=true exit=0
// A linked list on the heap: insertion, reversal, removal, and freeing all of it.
#include "klee/klee.h"
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = head;
    return node;
}

static struct node *reverse(struct node *head) {
    struct node *reversed = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = reversed;
        reversed = head;
        head = next;
    }
    return reversed;
}

int main(void) {
    unsigned char keep;
    struct node *head = NULL;
    klee_make_symbolic(&keep, sizeof keep, "keep");
    for (int i = 0; i < 3; i++) {
        if (keep & (1 << i)) {
            head = push(head, i + 1);
        }
    }
    int code = 0;
    for (head = reverse(head); head;) {
        struct node *next = head->next;
        code = code * 10 + head->value;
        free(head);
        head = next;
    }
    printf("%d\n", code);
    return code % 100;
}
