// RUN: incise run %s --entry weekday
// EXPECT: paths=5 errors=1 complete=true exit=1
// ERROR: unreachable at 13
// Reaching what the programmer promised cannot be reached.

int weekday(int day) {
    if (day < 0 || day > 2) {
        return -1;
    }
    switch (day) {
    case 0: return 10;
    case 1: return 11;
    default: __builtin_unreachable(); // error: unreachable
    }
}
