struct ring {
    int *data;
    unsigned size;
    unsigned first;
    unsigned used;
};

/* Takes the oldest value out; 0 if there is none. */
int ring_get(struct ring *ring, int *value) {
    if (ring->used > 0) {
        unsigned next = ring->first + 1;
        *value = ring->data[ring->first];
        ring->first = next < ring->size ? next : 0;
        ring->used -= 1;
        return 1;
    }
    return 0;
}
