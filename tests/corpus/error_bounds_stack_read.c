// RUN: incise run %s --entry pick
// EXPECT: paths=4 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 11
// A read one element after a local array.

int pick(int index) {
    int values[4] = {3, 1, 4, 1};
    if (index < 0 || index > 4) {
        return -1;
    }
    return values[index]; // error: out-of-bounds
}
