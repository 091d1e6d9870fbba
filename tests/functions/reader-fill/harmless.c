struct reader {
    int (*read)(void *source, unsigned char *out, int room);
    void *source;
    int failed;
};

/* Reads until there is no room left or the source ends; returns how much was read, or -1. */
int reader_fill(struct reader *reader, unsigned char *out, int room) {
    int left = room, count = 1;
    if (reader->failed)
        return -1;
    for (; left > 0 && count != 0; left -= count) {
        count = reader->read(reader->source, out, left);
        if (count > left || count < 0) {
            reader->failed = 1;
            return -1;
        }
        out += count;
    }
    return room > 0 ? room - left : 0;
}
