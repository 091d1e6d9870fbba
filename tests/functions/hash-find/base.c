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
        const struct slot *slot = &table->slots[at];
        if (slot->key == 0)
            return 0;
        if (slot->key == key) {
            *value = slot->value;
            return 1;
        }
        at = (at + 1) % table->capacity;
    }
    return 0;
}
