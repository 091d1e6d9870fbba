// RUN: incise run %s --entry classify
// EXPECT: paths=4 errors=0 complete=true exit=0
// The last register of a struct parameter is narrower than the struct's tail with its padding.
struct pair { float x, y; };
struct mixed { double weight; int rank; };

int classify(struct pair p, struct mixed m) {
    if (p.x > p.y) {
        if (m.rank > 3) return 1;
        return 2;
    }
    if (m.weight < 0.5) return 3;
    return 4;
}
