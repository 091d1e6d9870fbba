// RUN: incise run %s --entry reverse_sum
// EXPECT: paths=4 errors=0 complete=true exit=0
// Memory from alloca lives until its function returns.
#include <alloca.h>
#include <string.h>

static int build(int rounds) {
    int sum = 0;
    char *previous = 0;
    for (int i = 1; i <= rounds; i++) {
        char *block = alloca((size_t)i * 4);
        memset(block, i, (size_t)i * 4);
        if (previous) {
            block[0] = previous[i - 2];
        }
        previous = block;
        sum += block[0] + block[i * 4 - 1];
    }
    return sum;
}

int reverse_sum(int rounds) {
    if (rounds == 1) {
        return build(1);
    }
    if (rounds == 2) {
        return build(2) + build(3);
    }
    return rounds > 2 ? build(5) : 0;
}
