struct ring {
    int *data;
    unsigned size;
    unsigned first;
    unsigned used;
};

/* Takes the oldest value out; 0 if there is none. */
int ring_get(struct ring *ring, int *value) {
    if (ring->used == 0)
        return 0;
    *value = ring->data[ring->first];
    ring->first++;
    if (ring->first > ring->size)
        ring->first = 0;
    ring->used--;
    return 1;
}
