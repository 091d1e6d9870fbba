// verdict: same
// entry: clamp
// kind: refactoring
// loops: none
// domain: int
// Minimum and maximum by masks.
int old_clamp(int x, int low, int high) {
    if (x < low) {
        x = low;
    }
    if (x > high) {
        x = high;
    }
    return x;
}

int new_clamp(int x, int low, int high) {
    int larger = x ^ ((x ^ low) & -(x < low));
    return high ^ ((larger ^ high) & -(larger < high));
}
