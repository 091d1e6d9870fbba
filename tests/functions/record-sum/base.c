struct record {
    unsigned short kind;
    unsigned short count;
    unsigned items[];
};

/* The sum of the items of a record; those of kind 1 are weighted by their places. */
unsigned record_sum(const struct record *record) {
    unsigned sum = 0;
    for (unsigned i = 0; i < record->count; i++) {
        if (record->kind == 1)
            sum += record->items[i] * i;
        else
            sum += record->items[i];
    }
    return sum;
}
