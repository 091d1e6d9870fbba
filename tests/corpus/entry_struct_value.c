// RUN: incise run %s --entry overlap
// EXPECT: paths=5 errors=0 complete=true exit=0
// Structs passed by value are inputs too.

struct interval {
    int from;
    int to;
};

int overlap(struct interval a, struct interval b) {
    if (a.from > a.to || b.from > b.to) {
        return -1;
    }
    if (a.to < b.from || b.to < a.from) {
        return 0;
    }
    return 1;
}
