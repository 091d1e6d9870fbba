// RUN: incise run %s --entry describe --array name=1 --inputs any
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 11
// A null string is printed as a word, and is no error: the decision is made before the string is read.
#include <stdio.h>
#include <string.h>

int describe(const char *name) {
    char text[16];
    // One byte: it is the terminator, or the string does not end within its object.
    snprintf(text, sizeof text, "%s-%d", name, 42); // error: out-of-bounds
    if (strlen(text) == 9) return 1;
    return text[0];
}
