// RUN: incise run %s --entry label
// EXPECT: paths=4 errors=0 complete=true exit=0
// snprintf stops at the size, ends the string, and returns the length it wanted; sprintf does not stop.
#include <stdio.h>
#include <string.h>

int label(unsigned which) {
    char buffer[8];
    memset(buffer, '#', sizeof buffer);
    if (which == 0) {
        return snprintf(buffer, 4, "%s-%d", "abc", 12) * 10 + (int)strlen(buffer);
    }
    if (which == 1) {
        return snprintf(buffer, 0, "%05d", 7) + buffer[0];
    }
    if (which == 2) {
        return sprintf(buffer, "%c%c%u", 'x', 'y', 99u) + buffer[3] + buffer[5];
    }
    return snprintf(NULL, 0, "%s", "length only");
}
