// RUN: incise run %s --entry parse
// EXPECT: paths=5 errors=0 complete=true exit=0
// Bases, prefixes, overflow with errno, and bad bases.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int parse(int which) {
    char *end;
    errno = 0;
    switch (which) {
    case 0: return (int)strtol("  -0x1fz", &end, 0) * 10 + *end;
    case 1: return (int)strtoul("777", &end, 8) + (*end == 0);
    case 2: return strtol("9223372036854775808", 0, 10) == LONG_MAX ? errno : -1;
    case 3: return strtoull("-1", 0, 36) == ULLONG_MAX ? 7 : 8;
    default: return strtol("12", &end, 1) == 0 ? errno : -1;
    }
}
