// RUN: incise run %s --entry total --array order->items=2 --no-null
// EXPECT: paths=5 errors=0 complete=true exit=0
// Pointers inside of a pointed-to struct lead to fresh objects, with a length given by name.

struct item {
    unsigned char price;
    unsigned char count;
};

struct order {
    int size;
    struct item *items;
    const char *note;
};

int total(const struct order *order) {
    int sum = 0;
    if (order->size != 2) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        sum += order->items[i].price * order->items[i].count;
    }
    if (*order->note == '!') {
        return sum + 1000;
    }
    return sum > 50000 ? -2 : order->items[1].price == 3 ? -3 : sum;
}
