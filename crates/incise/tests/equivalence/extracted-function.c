// verdict: same
// entry: price
// kind: refactoring
// loops: none
// domain: int
// A computation got a function of its own.
int old_price(int pieces, int each, int member) {
    int sum = pieces * each;
    if (sum > 1000) {
        sum -= sum / 10;
    }
    if (member) {
        sum -= sum / 20;
    }
    return sum;
}

static int less(int sum, int part, int when) {
    return when ? sum - sum / part : sum;
}

int new_price(int pieces, int each, int member) {
    int sum = pieces * each;
    sum = less(sum, 10, sum > 1000);
    return less(sum, 20, member);
}
