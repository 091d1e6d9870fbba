// RUN: incise run %s --entry total --check overflow
// EXPECT: paths=6 errors=3 complete=true exit=1
// ERROR: signed-overflow at 10
// ERROR: signed-overflow at 13
// ERROR: signed-overflow at 15
// Signed sums, products and negations whose result does not fit.

int total(int price, int count) {
    if (count == 1) {
        return price + 100; // error: signed-overflow
    }
    if (count == 2) {
        return -price; // error: signed-overflow
    }
    return price * 3; // error: signed-overflow
}
