int pick(const int *at, int factor) {
    int product = *at * factor;
    return product + product;
}
