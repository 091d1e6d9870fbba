// verdict: same-within-bounds
// entry: middle
// kind: refactoring
// loops: other
// domain: int
// The median of three: by sorting, and by comparing.
int old_middle(int a, int b, int c) {
    int v[3] = {a, b, c};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2 - i; j++) {
            if (v[j] > v[j + 1]) {
                int kept = v[j];
                v[j] = v[j + 1];
                v[j + 1] = kept;
            }
        }
    }
    return v[1];
}

int new_middle(int a, int b, int c) {
    if ((a <= b && b <= c) || (c <= b && b <= a)) {
        return b;
    }
    if ((b <= a && a <= c) || (c <= a && a <= b)) {
        return a;
    }
    return c;
}
