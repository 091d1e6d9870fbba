// RUN: incise run %s --entry aligned
// EXPECT: paths=9 errors=0 complete=true exit=0
// RUN: incise run %s --entry cut
// EXPECT: paths=8 errors=0 complete=true exit=0
// RUN: incise run %s --entry wide
// EXPECT: complete=false
// Widths and precisions that depend on inputs: a path for each number that they can be, up to a limit.
#include <stdio.h>

int aligned(unsigned width) {
    if (width > 3 && width < 100000)
        return -1;
    return printf("%*d|\n", (int)(width & 3), 5);
}

int cut(unsigned char precision) {
    char text[16];
    return snprintf(text, sizeof text, "%.*s", precision % 8, "abcdefgh") + text[0];
}

int wide(unsigned char width) {
    return printf("%*s|", width - 20, "x");
}
