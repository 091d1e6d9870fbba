// RUN: incise run %s --entry measure --array text=4 --inputs any
// EXPECT: paths=6 errors=2 complete=true exit=1
// ERROR: null-pointer at 9
// ERROR: out-of-bounds at 10
// strlen and strnlen of a symbolic string that may lack its end.
#include <string.h>

int measure(const char *text) {
    if (strnlen(text, 2) == 2) { // error: null-pointer
        return (int)strlen(text) + 10; // error: out-of-bounds
    }
    return (int)strnlen(text, 3);
}
