#include <string.h>

#define RING_SIZE 16u

struct ring {
    unsigned char data[RING_SIZE];
    unsigned start;
    unsigned used;
};

/* Writes as much as there is room for; returns how much. */
unsigned ring_write(struct ring *ring, const unsigned char *from, unsigned count) {
    if (ring->used > RING_SIZE)
        return 0;
    if (count > RING_SIZE - ring->used)
        count = RING_SIZE - ring->used;
    unsigned at = (ring->start + ring->used) % RING_SIZE;
    for (unsigned i = 0; i < count; i++) {
        ring->data[at] = from[i];
        if (++at >= RING_SIZE)
            at = 1;
    }
    ring->used += count;
    return count;
}
