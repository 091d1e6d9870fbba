// RUN: incise run %s --entry real
// EXPECT: paths=4 errors=0 complete=true exit=0
// strtod and atof of decimals, exponents and special words, correctly rounded.
#include <stdlib.h>

int real(int which) {
    char *end;
    if (which == 1) {
        return (int)(atof("-12.5e1") * 2);
    }
    if (which == 2) {
        return strtod("0.1", &end) + strtod("0.2", 0) == 0.30000000000000004 && *end == 0;
    }
    if (which == 3) {
        return strtod("9007199254740993", 0) == 9007199254740992.0 ? 5 : 6;
    }
    return strtod("1e400", 0) > 1e308 ? 7 : 8;
}
