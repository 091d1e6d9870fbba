// RUN: incise run %s --entry area_sum
// EXPECT: paths=4 errors=0 complete=true exit=0
// Objects that carry their methods, chosen at run time.

struct shape {
    int (*area)(const struct shape *);
    int a;
    int b;
};

static int square_area(const struct shape *shape) { return shape->a * shape->a; }
static int rectangle_area(const struct shape *shape) { return shape->a * shape->b; }

static struct shape make(int is_square, int a, int b) {
    struct shape shape = {rectangle_area, a, b};
    if (is_square) {
        shape.area = square_area;
    }
    return shape;
}

int area_sum(signed char first, signed char second) {
    struct shape shapes[2];
    shapes[0] = make(first > 0, 3, 4);
    shapes[1] = make(second > 0, 5, 6);
    return shapes[0].area(&shapes[0]) + shapes[1].area(&shapes[1]);
}
