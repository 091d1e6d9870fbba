// RUN: incise run %s --entry swap_case
// EXPECT: paths=5 errors=0 complete=true exit=0
// toupper and tolower, of letters, of other bytes, and of EOF.
#include <ctype.h>

int swap_case(char c) {
    if (c == 'q') {
        return toupper(c);
    }
    if (c == 'Q') {
        return tolower((unsigned char)c);
    }
    if (toupper((unsigned char)c) == '[') {
        return 1;
    }
    if (tolower((unsigned char)c) - (unsigned char)c == 32) {
        return 2;
    }
    return tolower(-1) == -1 ? 3 : 4;
}
