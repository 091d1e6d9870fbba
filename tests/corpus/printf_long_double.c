// RUN: incise run %s --entry show
// EXPECT: paths=2 errors=0 complete=true exit=0
// A long double is printed with all its digits, also one that no double is, or that depends on inputs.
#include <stdio.h>

int show(short number, int narrow) {
    char text[64];
    long double tenth = 0.1L;
    snprintf(text, sizeof text, "%.25Lf %Lg", tenth, 1e300L * tenth);
    puts(text);
    if (narrow) {
        printf("%Le\n", (long double)number / 8);
        return 1;
    }
    printf("%8.3Lf|%-12Lg|\n", tenth * number, -tenth);
    return 0;
}
