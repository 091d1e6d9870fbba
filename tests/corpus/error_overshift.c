// RUN: incise run %s --entry bit
// EXPECT: paths=4 errors=2 complete=true exit=1
// ERROR: overshift at 10
// ERROR: overshift at 12
// Shifts by the width of the type or more, also by a negative count.
#include <stdint.h>

uint32_t bit(unsigned count, int distance) {
    if (distance > 3) {
        return 1u << count; // error: overshift
    }
    return 0x80000000u >> distance; // error: overshift
}
