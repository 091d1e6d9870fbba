// verdict: same
// entry: measure
// kind: refactoring
// loops: none
// domain: int
// The fields of a struct are computed in another order.
struct box {
    int low;
    int high;
    int size;
};
struct box box;

void old_measure(int a, int b) {
    box.low = a < b ? a : b;
    box.high = a < b ? b : a;
    box.size = box.high - box.low;
}

void new_measure(int a, int b) {
    box.size = a < b ? b - a : a - b;
    box.high = b > a ? b : a;
    box.low = b > a ? a : b;
}
