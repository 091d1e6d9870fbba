// RUN: incise run %s --entry distance
// EXPECT: paths=4 errors=0 complete=true exit=0
// Structs small enough for registers: of integers, of floats, and mixed.

struct point {
    int x;
    int y;
};

struct mixed {
    float weight;
    int count;
};

struct three {
    char a, b, c;
};

static int spread(struct point from, struct point to) {
    int dx = to.x - from.x;
    int dy = to.y - from.y;
    from.x = 0; /* a copy: the caller's is untouched */
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy) + from.x;
}

static int scale(struct mixed mixed) { return (int)(mixed.weight * 2) + mixed.count; }

static int join(struct three three) { return three.a * 100 + three.b * 10 + three.c; }

int distance(short x, short y) {
    struct point origin = {3, -4};
    struct point other = {x, y};
    struct mixed mixed = {2.5f, 7};
    struct three three = {1, 2, 3};
    return spread(origin, other) + scale(mixed) + join(three) + origin.x;
}
