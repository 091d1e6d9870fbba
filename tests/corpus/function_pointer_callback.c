// RUN: incise run %s --entry count_matching
// EXPECT: paths=13 errors=0 complete=true exit=0
// A predicate passed as a function pointer, with state through a void pointer.

struct limits {
    int low;
    int high;
};

static int within(int value, void *context) {
    const struct limits *limits = context;
    return value >= limits->low && value <= limits->high;
}

static int positive(int value, void *context) {
    (void)context;
    return value > 0;
}

static int count(const int *values, int n, int (*matches)(int, void *), void *context) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (matches(values[i], context)) {
            found++;
        }
    }
    return found;
}

int count_matching(int a, int b, int use_limits) {
    struct limits limits = {10, 20};
    int values[2] = {a, b};
    if (use_limits) {
        return count(values, 2, within, &limits) + 100;
    }
    return count(values, 2, positive, 0);
}
