// RUN: incise run %s --entry describe
// EXPECT: paths=3 errors=0 complete=true exit=0
// Variadic arguments of several types, a va_list that is passed on, and va_copy.
#include <stdarg.h>

static long gather(const char *types, va_list arguments) {
    long result = 0;
    for (; *types; types++) {
        switch (*types) {
        case 'i': result = result * 10 + va_arg(arguments, int); break;
        case 'l': result = result * 10 + va_arg(arguments, long); break;
        case 'd': result = result * 10 + (long)va_arg(arguments, double); break;
        case 's': result = result * 10 + va_arg(arguments, const char *)[0] - '0'; break;
        case 'u': result = result * 10 + va_arg(arguments, unsigned); break;
        }
    }
    return result;
}

static long twice(const char *types, ...) {
    va_list first, second;
    va_start(first, types);
    va_copy(second, first);
    long result = gather(types, first) + gather(types, second);
    va_end(second);
    va_end(first);
    return result;
}

long describe(int which, unsigned char value) {
    if (which == 1) {
        return twice("ildsu", 1, 2L, 3.75, "4", (unsigned)value);
    }
    if (which == 2) {
        return twice("ddddddddddi", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, (int)value);
    }
    return twice("");
}
