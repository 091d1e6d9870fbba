// RUN: incise run %s --entry arrange
// EXPECT: paths=4 errors=0 complete=true exit=0
// qsort keeps the order of equal elements, as glibc's merge sort does.
#include <stdlib.h>

struct item {
    unsigned char key;
    char name;
};

static int by_key(const void *left, const void *right) {
    return ((const struct item *)left)->key - ((const struct item *)right)->key;
}

int arrange(unsigned char key) {
    struct item items[3] = {{20, 'a'}, {key, 'b'}, {20, 'c'}};
    if (key > 200) {
        return -1;
    }
    qsort(items, 3, sizeof *items, by_key);
    return items[0].name * 10000 + items[1].name * 100 + items[2].name;
}
