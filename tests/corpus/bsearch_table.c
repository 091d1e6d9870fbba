// RUN: incise run %s --entry find_price
// EXPECT: paths=9 errors=0 complete=true exit=0
// bsearch with a symbolic key: the paths are the ways down the tree of comparisons.
#include <stdlib.h>

struct price {
    int code;
    int cents;
};

static const struct price prices[4] = {{2, 100}, {5, 250}, {9, 75}, {14, 999}};

static int by_code(const void *key, const void *element) {
    int code = *(const int *)key;
    const struct price *price = element;
    if (code < price->code) {
        return -1;
    }
    return code > price->code;
}

int find_price(int code) {
    const struct price *price = bsearch(&code, prices, 4, sizeof *prices, by_code);
    return price ? price->cents : 0;
}
