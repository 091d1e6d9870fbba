// RUN: incise run %s --entry report
// EXPECT: paths=2 errors=0 complete=false
// RUN: incise run %s --entry both
// EXPECT: paths=2 errors=0 complete=true exit=0
// Nobody knows what callers pass behind `...` of the entry; of a function that is called everybody does.
#include <stdarg.h>

int report(int level, ...) {
    if (level < 3)
        return 0;
    va_list arguments;
    va_start(arguments, level);
    int result = va_arg(arguments, int);
    va_end(arguments);
    return result + level;
}

int both(int level, int value) {
    return report(level, value) > 0 ? 1 : 0;
}
