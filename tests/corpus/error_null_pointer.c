// RUN: incise run %s --entry first_value
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: null-pointer at 23
// A lookup that finds nothing returns null, and the caller does not look.

struct setting {
    int key;
    int value;
};

static const struct setting settings[2] = {{1, 11}, {5, 55}};

static const struct setting *find(int key) {
    for (int i = 0; i < 2; i++) {
        if (settings[i].key == key) {
            return &settings[i];
        }
    }
    return 0;
}

int first_value(int key) {
    return find(key)->value; // error: null-pointer
}
