#include <stddef.h>

/* The index of a key in a sorted array, or -1. */
long find_key(const int *keys, size_t count, int wanted) {
    const int *first = keys;
    while (count > 0) {
        size_t half = count / 2;
        if (first[half] == wanted)
            return (long)(first - keys + (long)half);
        if (wanted > first[half]) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return -1;
}
