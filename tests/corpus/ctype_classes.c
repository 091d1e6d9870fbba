// RUN: incise run %s --entry class_of
// EXPECT: paths=6 errors=0 complete=true exit=0
// The classes of ctype.h; the functions return glibc's own non-zero values.
#include <ctype.h>

int class_of(unsigned char c) {
    if (isupper(c)) {
        return isalpha(c);
    }
    if (islower(c)) {
        return islower(c);
    }
    if (isdigit(c)) {
        return isxdigit(c);
    }
    if (isspace(c)) {
        return isblank(c) ? 5 : 6;
    }
    if (ispunct(c)) {
        return isgraph(c) + isprint(c);
    }
    return iscntrl(c) ? 7 : 8;
}
