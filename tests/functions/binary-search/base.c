#include <stddef.h>

/* The index of a key in a sorted array, or -1. */
long find_key(const int *keys, size_t count, int wanted) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys[middle] < wanted)
            low = middle + 1;
        else if (keys[middle] > wanted)
            high = middle;
        else
            return (long)middle;
    }
    return -1;
}
