// verdict: same-within-bounds
// entry: total
// kind: refactoring
// loops: other
// domain: int
// takes: long
// Four elements in a turn, then those that are left, counted down.
unsigned old_total(const unsigned *values, unsigned long count) {
    unsigned sum = 0;
    for (unsigned long i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

unsigned new_total(const unsigned *values, unsigned long count) {
    unsigned sum = 0;
    while (count >= 4) {
        sum += values[0] + values[1] + values[2] + values[3];
        values += 4;
        count -= 4;
    }
    while (count > 0) {
        sum += *values++;
        count--;
    }
    return sum;
}
