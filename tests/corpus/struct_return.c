// RUN: incise run %s --entry build
// EXPECT: paths=2 errors=0 complete=true exit=0
// Functions that return structs: in registers and through a hidden pointer.

struct pair {
    long first;
    long second;
};

struct table {
    int values[8];
};

struct real {
    double value;
    char tag;
};

static struct pair order(long a, long b) {
    if (a <= b) {
        return (struct pair){a, b};
    }
    return (struct pair){b, a};
}

static struct table fill(int start) {
    struct table table;
    for (int i = 0; i < 8; i++) {
        table.values[i] = start + i * i;
    }
    return table;
}

static struct real label(double value, char tag) { return (struct real){value, tag}; }

long build(int a, int b) {
    struct pair pair = order(a, b);
    struct table table = fill(5);
    struct real real = label(1.5, 'r');
    return pair.second - pair.first + fill(100).values[7] + table.values[2] + (long)(real.value * 4) + real.tag;
}
