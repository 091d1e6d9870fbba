#include <stdint.h>

struct slot {
    uint32_t key;
    int value;
};

struct table {
    struct slot *slots;
    unsigned capacity;
};

/* Looks a key up, from its slot on to the first free one; key 0 is a free slot. */
int table_find(const struct table *table, uint32_t key, int *value) {
    if (table->capacity == 0 || key == 0)
        return 0;
    unsigned at = key % table->capacity;
    for (unsigned tries = 0; tries < table->capacity; tries++) {
        if (table->slots[at].key == key) {
            *value = table->slots[at].value;
            return 1;
        }
        if (table->slots[at].key == 0)
            break;
        if (++at == table->capacity)
            at = 0;
    }
    return 0;
}
