// entry: table_find
// harmless: the wrapping of the index is a condition, the key is compared first
// harmful: the search does not go round the end of the table
// taken: table is not null; table->slots has room for `table->capacity` elements; value is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct table table;
    table.capacity = n_below(13);
    table.slots = n_new(table.capacity * sizeof *table.slots);
    for (unsigned i = 0; i < table.capacity; i++)
        table.slots[i] = (struct slot){n_percent(75) ? 1 + n_below(15) : 0, (int)n_below(100)};
    uint32_t key = 1 + n_below(15);
    int value = 0;
    for (unsigned i = 0; i < table.capacity; i++)
        printf(" %u:%d", table.slots[i].key, table.slots[i].value);
    n_show_number("key", key);
    n_result(table_find(&table, key, &value));
    n_show_number("value", value);
}
