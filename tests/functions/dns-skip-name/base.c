/* Where a name in a message ends: labels with their lengths, then a zero or a pointer of two bytes. */
int skip_name(const unsigned char *message, int size, int at) {
    while (at < size) {
        unsigned char length = message[at];
        if (length == 0)
            return at + 1;
        if ((length & 0xc0) == 0xc0)
            return at + 2 <= size ? at + 2 : -1;
        if ((length & 0xc0) != 0)
            return -1;
        at += 1 + length;
    }
    return -1;
}
