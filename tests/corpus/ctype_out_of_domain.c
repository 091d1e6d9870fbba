// RUN: incise run %s --entry is_letter
// EXPECT: paths=4 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 14
// An argument that is neither a byte nor EOF reads beside glibc's table.
#include <ctype.h>

int is_letter(int c) {
    if (c > 255 && c < 0x40000000) {
        return -1; /* outside too, but natively it may go unnoticed */
    }
    if (c < -128) {
        return -2;
    }
    return isalpha(c); // error: out-of-bounds
}
