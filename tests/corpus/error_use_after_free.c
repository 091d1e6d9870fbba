// RUN: incise run %s --entry close_session
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: use-after-free at 16
// A block is read after an early branch has freed it.
#include <stdlib.h>

int close_session(int code) {
    int *session = malloc(sizeof *session);
    *session = 5;
    if (code < 0) {
        free(session);
        if (code == -2) {
            return 0;
        }
    }
    int result = *session; // error: use-after-free
    free(session);
    return result;
}
