/*
 * stdlib.h: qsort and bsearch.
 *
 * The sort is a merge sort that halves as glibc's does, so elements that compare equal keep
 * their order and the comparison function is called with the same pairs in the same order.
 */
#include "incise.h"

struct __incise_order {
    /* One of the two is null. */
    int (*plain)(const void *, const void *);
    int (*with_argument)(const void *, const void *, void *);
    void *argument;
    size_t size;
};

INLINE int __incise_order_of(const struct __incise_order *order, const void *left, const void *right) {
    if (order->plain) {
        return order->plain(left, right);
    }
    return order->with_argument(left, right, order->argument);
}

static void __incise_merge_sort(char *base, size_t count, const struct __incise_order *order, char *merged) {
    if (count <= 1) {
        return;
    }
    size_t size = order->size;
    size_t left_count = count / 2;
    size_t right_count = count - left_count;
    char *left = base;
    char *right = base + left_count * size;
    __incise_merge_sort(left, left_count, order, merged);
    __incise_merge_sort(right, right_count, order, merged);
    char *end = merged;
    while (left_count > 0 && right_count > 0) {
        if (__incise_order_of(order, left, right) <= 0) {
            memcpy(end, left, size);
            left += size;
            left_count--;
        } else {
            memcpy(end, right, size);
            right += size;
            right_count--;
        }
        end += size;
    }
    memcpy(end, left, left_count * size);
    /* What is left on the right is already in its place. */
    memcpy(base, merged, (count - right_count) * size);
}

INLINE void __incise_sort(char *base, size_t count, const struct __incise_order *order) {
    size_t bytes = count * order->size;
    if (bytes < 1024) {
        char merged[1024];
        __incise_merge_sort(base, count, order, merged);
        return;
    }
    char *merged = malloc(bytes);
    if (!merged) {
        __incise_unsupported("qsort without memory for its work area");
    }
    __incise_merge_sort(base, count, order, merged);
    free(merged);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    struct __incise_order order = {compare, NULL, NULL, size};
    __incise_sort(base, count, &order);
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *argument) {
    struct __incise_order order = {NULL, compare, argument, size};
    __incise_sort(base, count, &order);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *candidate = (const char *)base + middle * size;
        int order = compare(key, candidate);
        if (order < 0) {
            high = middle;
        } else if (order > 0) {
            low = middle + 1;
        } else {
            return (void *)candidate;
        }
    }
    return NULL;
}
