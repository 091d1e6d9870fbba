// RUN: incise run %s --entry increment --inputs any
// EXPECT: paths=4 errors=1 complete=true exit=1
// ERROR: null-pointer at 10
// A pointer parameter is null or points to one object of its type.

int increment(int *counter, int *limit) {
    if (!counter) {
        return -1;
    }
    if (*counter >= *limit) { // error: null-pointer
        return 0;
    }
    *counter = *counter + 1;
    return *counter;
}
