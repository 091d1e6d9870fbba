// RUN: incise run %s --entry lookup
// EXPECT: paths=3 errors=0 complete=true exit=0
// Designated initialisers, with ranges, out of order, and zeros for what is not named.

struct entry {
    char letter;
    int weight;
    struct {
        short a, b;
    } inner;
};

static const struct entry entries[6] = {
    [4] = {.weight = 40, .letter = 'e'},
    [1] = {'b', 10, {.b = 3}},
    [2 ... 3] = {.inner.a = 7, .weight = 5},
};

static const int sparse[] = {[9] = 1, [0] = 2, 3};

int lookup(unsigned index) {
    if (index > 5) {
        return (int)(sizeof sparse / sizeof *sparse);
    }
    const struct entry *entry = &entries[index];
    if (entry->letter) {
        return entry->weight + entry->inner.b;
    }
    return entry->weight * 2 + entry->inner.a + sparse[1];
}
