// RUN: incise run %s --entry scale
// EXPECT: paths=4 errors=2 complete=true exit=1
// ERROR: division-by-zero at 9
// ERROR: signed-overflow at 9
// The smallest number divided by minus one has no result.

int scale(int number, int divisor) {
    if (number < -5) {
        return number / divisor; // error: division-by-zero, signed-overflow
    }
    return 0;
}
