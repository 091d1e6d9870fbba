/* A frame: two bytes of magic, eight of payload, their sum, and the command. */
int frame_check(const unsigned char *frame, unsigned length) {
    unsigned sum = 0;
    if (length < 12)
        return 0;
    if (frame[0] != 0x55 || frame[1] != 0xaa)
        return -1;
    for (int i = 2; i < 9; i++)
        sum += frame[i];
    if ((sum & 0xff) != frame[10])
        return -2;
    return frame[11];
}
