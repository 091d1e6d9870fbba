// RUN: incise run %s --entry largest --array values=3 --no-null --inputs any
// EXPECT: paths=7 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 11
// --array gives a pointer parameter its elements; the function trusts its other parameter too much.

int largest(const int *values, unsigned count) {
    if (count > 4) {
        return -1;
    }
    if (count == 4) {
        return values[3]; // error: out-of-bounds
    }
    if (count != 3) {
        return 0;
    }
    int best = values[0];
    if (values[1] > best) {
        best = values[1];
    }
    if (values[2] > best) {
        best = values[2];
    }
    return best;
}
