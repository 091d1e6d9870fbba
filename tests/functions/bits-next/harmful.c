/* The first bit from an index on that is set; the limit if there is none. */
unsigned bits_next(const unsigned char *bytes, unsigned limit, unsigned from) {
    while (from < limit && from < 16) {
        if (bytes[from / 8] >> (from % 8) & 1)
            return from;
        from++;
    }
    return limit;
}
