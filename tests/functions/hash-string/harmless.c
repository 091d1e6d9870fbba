#include <stdint.h>

/* Bernstein's hash of a key. */
uint32_t hash(const char *key) {
    const unsigned char *at = (const unsigned char *)key;
    uint32_t value = 5381;
    while (*at != 0)
        value = ((value << 5) + value) ^ *at++;
    return value;
}
