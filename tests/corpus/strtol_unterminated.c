// RUN: incise run %s --entry number --array text=1 --inputs any
// EXPECT: paths=3 errors=1 complete=true exit=1
// An error inside of a library function is seen natively only if strings are checked strictly.
// ERROR: out-of-bounds at 9
#include <stdlib.h>

int number(const char *text) {
    if (!text || text[0] != '7') exit(3);
    return (int)strtol(text, NULL, 10); // error: out-of-bounds
}
