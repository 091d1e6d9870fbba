#include <stdint.h>

/* Bernstein's hash of a key. */
uint32_t hash(const char *key) {
    uint32_t value = 5381;
    for (; *key != '\0'; key++)
        value = value * 33 ^ (uint32_t)*key;
    return value;
}
