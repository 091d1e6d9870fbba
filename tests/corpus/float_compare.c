// RUN: incise run %s --entry order
// EXPECT: paths=6 errors=0 complete=true exit=0
// Comparisons of symbolic floats: a NaN is not less, not greater and not equal, not even to itself.

int order(float a, float b) {
    if (a != a) {
        return -1;
    }
    if (a < b) {
        return 1;
    }
    if (a > b) {
        return 2;
    }
    if (a == b) {
        return a == 0.0f ? 3 + (1.0f / a < 0) : 5;
    }
    return -2;
}
