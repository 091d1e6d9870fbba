/* The first bit from an index on that is set; the limit if there is none. */
unsigned bits_next(const unsigned char *bytes, unsigned limit, unsigned from) {
    for (; from < limit; from++) {
        unsigned char mask = (unsigned char)(1u << (from & 7));
        if ((bytes[from >> 3] & mask) != 0)
            break;
    }
    return from < limit ? from : limit;
}
