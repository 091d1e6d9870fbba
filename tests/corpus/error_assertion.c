// RUN: incise run %s --entry average
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: assertion at 12
// A failed assertion, found by a wrap-around that is easy to overlook.
#include <assert.h>

unsigned average(unsigned a, unsigned b) {
    if (a > b) {
        return 0;
    }
    unsigned middle = (a + b) / 2;
    assert(middle >= a); // error: assertion
    return middle;
}
