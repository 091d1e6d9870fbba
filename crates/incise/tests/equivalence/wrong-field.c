// verdict: differs
// entry: move
// kind: bug
// loops: none
// domain: int
// The wrong field of a struct is changed.
struct point {
    int x;
    int y;
};
struct point at;

void old_move(int dx, int dy) {
    at.x += dx;
    at.y += dy;
}

void new_move(int dx, int dy) {
    at.x += dx;
    at.x += dy;
}
