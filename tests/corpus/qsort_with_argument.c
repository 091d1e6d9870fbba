// RUN: incise run %s --entry sort_both
// EXPECT: paths=2 errors=0 complete=true exit=0
// qsort_r passes an argument on to the comparison; large arrays use the heap.
#define _GNU_SOURCE
#include <stdlib.h>

struct order {
    int direction;
    int calls;
};

static int compare(const void *left, const void *right, void *argument) {
    struct order *order = argument;
    int a = *(const int *)left, b = *(const int *)right;
    order->calls++;
    return order->direction * ((a > b) - (a < b));
}

int sort_both(int backwards) {
    int values[300];
    struct order order = {backwards > 0 ? -1 : 1, 0};
    for (int i = 0; i < 300; i++) {
        values[i] = (i * 7919) % 300;
    }
    if (backwards > 0) {
        order.direction = -1;
    } else {
        order.direction = 1;
    }
    qsort_r(values, 300, sizeof *values, compare, &order);
    return values[0] * 100000 + values[299] * 100 + order.calls % 100;
}
