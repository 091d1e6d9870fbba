// verdict: same
// entry: weigh
// kind: refactoring
// loops: none
// domain: int
// options: --no-null
// A struct read through a pointer, with the fields taken out first.
struct item {
    short weight;
    short count;
    int price;
};

int old_weigh(const struct item *item) {
    return item->weight * item->count > 1000 ? item->price + item->weight : item->price;
}

int new_weigh(const struct item *item) {
    int weight = item->weight, price = item->price;
    if (item->count * weight <= 1000) {
        return price;
    }
    return weight + price;
}
