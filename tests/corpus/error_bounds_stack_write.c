// RUN: incise run %s --entry mark
// EXPECT: paths=4 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 14
// A write one element before a local array.

int mark(signed char offset) {
    char before = 1, cells[8] = {0}, after = 1;
    if (offset >= 8 - 1) {
        return before + after;
    }
    if (offset < -1) {
        return cells[0];
    }
    cells[offset] = 1; // error: out-of-bounds
    return cells[3];
}
