struct reader {
    int (*read)(void *source, unsigned char *out, int room);
    void *source;
    int failed;
};

/* Reads until there is no room left or the source ends; returns how much was read, or -1. */
int reader_fill(struct reader *reader, unsigned char *out, int room) {
    int used = 0;
    if (reader->failed)
        return -1;
    while (used < room) {
        int count = reader->read(reader->source, out + used, room - used);
        if (count > room - used) {
            reader->failed = 1;
            return -1;
        }
        if (count <= 0)
            break;
        used += count;
    }
    return used;
}
