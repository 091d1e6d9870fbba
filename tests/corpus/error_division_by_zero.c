// RUN: incise run %s --entry ratio
// EXPECT: paths=4 errors=2 complete=true exit=1
// ERROR: division-by-zero at 9
// ERROR: division-by-zero at 11
// Division and remainder by a value that can be zero.

unsigned ratio(unsigned total, unsigned parts) {
    if (total > 1000) {
        return total % (parts & 6); // error: division-by-zero
    }
    return total / (parts - 7); // error: division-by-zero
}
