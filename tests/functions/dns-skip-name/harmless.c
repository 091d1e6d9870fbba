/* Where a name in a message ends: labels with their lengths, then a zero or a pointer of two bytes. */
int skip_name(const unsigned char *message, int size, int at) {
    while (at < size) {
        unsigned char length = message[at];
        switch (length >> 6) {
        case 0:
            at++;
            if (length == 0)
                return at;
            at += length;
            break;
        case 3:
            return size - at >= 2 ? at + 2 : -1;
        default:
            return -1;
        }
    }
    return -1;
}
