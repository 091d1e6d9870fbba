// RUN: incise run %s --entry total
// EXPECT: paths=4 errors=0 complete=true exit=0
// A variadic function, with more arguments than fit in registers.
#include <stdarg.h>

static int sum(int count, ...) {
    va_list arguments;
    int result = 0;
    va_start(arguments, count);
    for (int i = 0; i < count; i++) {
        result += va_arg(arguments, int);
    }
    va_end(arguments);
    return result;
}

int total(int count, short a, short b) {
    if (count == 2) {
        return sum(2, a, b);
    }
    if (count == 10) {
        return sum(10, a, b, 3, 4, 5, 6, 7, 8, 9, 10);
    }
    if (count == 3) {
        return sum(3, a, b, a);
    }
    return sum(0);
}
