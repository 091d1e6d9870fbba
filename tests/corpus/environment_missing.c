// RUN: incise run %s --entry setting --closed
// EXPECT: paths=2 errors=0 complete=true exit=0
// getenv of a variable that nobody sets is null.
#include <stdlib.h>

int setting(int fallback) {
    const char *value = getenv("INCISE_CORPUS_NEVER_SET");
    if (value) {
        return 1;
    }
    return fallback > 0 ? fallback : 2;
}
