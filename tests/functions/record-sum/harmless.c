struct record {
    unsigned short kind;
    unsigned short count;
    unsigned items[];
};

/* The sum of the items of a record; those of kind 1 are weighted by their places. */
unsigned record_sum(const struct record *record) {
    unsigned sum = 0;
    const unsigned *item = record->items;
    for (unsigned i = 0; i < record->count; i++, item++)
        sum += record->kind == 1 ? i * *item : *item;
    return sum;
}
