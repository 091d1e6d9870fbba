#include <assert.h>
int clamp(int x, int low, int high) {
    assert(low <= high);
    int r = x;
    if (x < low)
        r = low;
    if (x > high)
        r = high;
    assert(r >= low && r <= high);
    return r;
}
