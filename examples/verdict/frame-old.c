int check(const unsigned char *frame, unsigned length) {
    if (length < 12)
        return 0;
    if (frame[0] != 0x55 || frame[1] != 0xaa)
        return -1;
    return frame[10] + frame[11];
}
