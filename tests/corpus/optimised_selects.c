// RUN: incise run %s --entry clamp_all -O1
// EXPECT: paths=1 errors=0 complete=true exit=0
// At -O1 small choices become selects and min/max intrinsics, so one path holds them all.

static int clamp(int value, int low, int high) {
    if (value < low) {
        return low;
    }
    return value > high ? high : value;
}

int clamp_all(int a, unsigned b, signed char c) {
    int first = clamp(a, -10, 10);
    unsigned second = b < 7 ? b : 7;
    int third = c < 0 ? -c : c;
    return first * 10000 + (int)second * 1000 + third;
}
