/* A frame: two bytes of magic, eight of payload, their sum, and the command. */
static unsigned char sum_of(const unsigned char *bytes, int count) {
    unsigned char sum = 0;
    while (count-- > 0)
        sum += *bytes++;
    return sum;
}

int frame_check(const unsigned char *frame, unsigned length) {
    if (length >= 12) {
        if (frame[0] == 0x55 && frame[1] == 0xaa)
            return sum_of(frame + 2, 8) == frame[10] ? frame[11] : -2;
        return -1;
    }
    return 0;
}
