/* Writes hh:mm:ss, nine characters with the terminator. */
void format_clock(unsigned seconds, char out[9]) {
    unsigned hours = seconds / 3600 % 24, minutes = seconds / 60 % 60;
    seconds %= 60;
    out[0] = (char)('0' + hours / 10);
    out[1] = (char)('0' + hours % 10);
    out[2] = ':';
    out[3] = (char)('0' + minutes / 10);
    out[4] = (char)('0' + minutes % 10);
    out[5] = ':';
    out[6] = (char)('0' + seconds / 10);
    out[7] = (char)('0' + seconds % 10);
    out[8] = '\0';
}
