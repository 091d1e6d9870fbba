// RUN: incise run %s --entry show
// EXPECT: paths=5 errors=0 complete=true exit=0
// How many bytes fwrite writes depends on an input: a path for each number.
#include <stdio.h>

int show(unsigned count) {
    static const char text[] = "abcd";
    if (count > 3) {
        count = 3;
    }
    return (int)fwrite(text, 1, count, stdout);
}
