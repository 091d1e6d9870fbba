// RUN: incise run %s --entry explain --closed
// EXPECT: paths=3 errors=0 complete=true exit=0
// errno is set by failures, and strerror names it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int explain(int which) {
    errno = 0;
    if (which == 1) {
        strtol("99999999999999999999", NULL, 10);
        return errno == ERANGE ? (int)strlen(strerror(errno)) : -1;
    }
    if (which == 2) {
        return fopen("no-such-file", "r") == NULL ? errno : -1;
    }
    return strcmp(strerror(0), "Success") + (int)strlen(strerror(12345));
}
