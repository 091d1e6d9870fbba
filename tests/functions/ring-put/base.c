#include <stddef.h>
#include <stdint.h>

struct ring {
    uint8_t *data;
    size_t capacity;
    size_t head;
    size_t count;
};

/* Appends a byte; 0 if the ring is full. */
int ring_put(struct ring *ring, uint8_t byte) {
    if (ring->count >= ring->capacity || ring->head >= ring->capacity)
        return 0;
    ring->data[(ring->head + ring->count) % ring->capacity] = byte;
    ring->count++;
    return 1;
}
