// verdict: differs
// entry: reserve
// kind: bug
// loops: none
// domain: int
// An assertion that held can fail now.
#include <assert.h>

int old_reserve(int wanted, int room) {
    if (wanted < 0 || wanted > room) {
        return -1;
    }
    int left = room - wanted;
    assert(left >= 0);
    return left;
}

int new_reserve(int wanted, int room) {
    if (wanted > room) {
        return -1;
    }
    int left = room - wanted;
    assert(left >= 0);
    return left;
}
