// RUN: incise run %s --entry choose
// EXPECT: paths=2 errors=0 complete=true exit=0
// Compound literals: as arguments, by address, and as arrays that can be written.

struct range {
    int low, high;
};

static int width(const struct range *range) { return range->high - range->low; }

static int sum(const int *values, int count) {
    int total = 0;
    while (count--) {
        total += *values++;
    }
    return total;
}

int choose(int which) {
    int *numbers = (int[]){5, 6, 7, which & 15};
    numbers[0]++;
    if (which > 100) {
        return width(&(struct range){.high = 40, .low = which & 7});
    }
    return sum(numbers, 4) + sum((int[3]){1}, 3) + (struct range){3, 9}.high;
}
