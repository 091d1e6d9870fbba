// RUN: incise run %s
// EXPECT: paths=4 errors=3 complete=true exit=1
// ERROR: abort at 14
// ERROR: reported at 17
// ERROR: assertion at 19
// klee_assert, klee_abort and klee_report_error end a path with an error.
#include "klee/klee.h"

int main(void) {
    unsigned char code;
    klee_make_symbolic(&code, sizeof code, "code");
    klee_warning_once("about to look at the code");
    if (code == 1) {
        klee_abort(); // error: abort
    }
    if (code == 2) {
        klee_report_error("klee_assertions.c", 1, "reported", "user.err"); // error: reported
    }
    klee_assert(code != 3); // error: assertion
    if (klee_is_symbolic(code) != klee_is_symbolic(code + 1u)) {
        return 9; /* never */
    }
    return code > 100 ? 1 : 0;
}
