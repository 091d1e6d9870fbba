// RUN: incise run %s --entry column
// EXPECT: paths=2 errors=0 complete=true exit=0
// %n stores how much was written so far, in the size that is asked for.
#include <stdio.h>

int column(int indent) {
    int before = 0;
    short after = 0;
    char line[40];
    size_t room = 4;
    if (indent == 8) {
        sprintf(line, "%8s%nvalue%hn", "", &before, &after);
    } else {
        snprintf(line, room, "%s%nlonger%hn", "ab", &before, &after);
    }
    return before * 100 + after;
}
