// entry: record_sum
// harmless: a pointer into the items
// harmful: the fifth item is taken twice
// taken: record is not null; record->items has room for `record->count` elements
#include "../natural.h"
#include VERSION

static void try_once(void) {
    unsigned short count = (unsigned short)n_size();
    struct record *record = n_new(sizeof *record + count * sizeof record->items[0]);
    record->kind = (unsigned short)n_below(3);
    record->count = count;
    for (unsigned i = 0; i < count; i++)
        record->items[i] = (unsigned)n_number();
    n_show_number("kind", record->kind);
    n_show("items", record->items, count * sizeof record->items[0]);
    n_result(record_sum(record));
}
