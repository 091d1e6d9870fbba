// RUN: incise run %s
// EXPECT: paths=4 errors=0 complete=true exit=0
// Globals whose initialisers point to other globals, into their middle, and in a circle.
#include "klee/klee.h"
#include <stdio.h>

struct node {
    const char *label;
    struct node *next;
    int *counter;
};

static int counters[3] = {1, 2, 3};
static struct node third;
static struct node first = {"first", &third, &counters[2]};
static struct node second = {"second", &first, counters};
static struct node third = {&"third"[2], &second, counters + 1};
static int (*const printer)(const char *) = puts;
static struct node *const starts[] = {&third, &first};

int main(void) {
    unsigned char steps = 0;
    klee_make_symbolic(&steps, sizeof steps, "steps");
    const struct node *node = starts[1];
    if (steps > 2) {
        printer("too far");
        return 1;
    }
    while (steps--) {
        node = node->next;
        *node->counter += 10;
    }
    printer(node->label);
    printf("%d %d %d\n", counters[0], counters[1], counters[2]);
    return 0;
}
