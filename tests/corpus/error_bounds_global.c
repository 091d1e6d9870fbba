// RUN: incise run %s --entry month_name
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 12
// A read beside a global array: the months are counted from 1, the array from 0.

static const short lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int month_name(unsigned month) {
    if (month > 12) {
        return 0;
    }
    return lengths[month]; // error: out-of-bounds
}
