/* Writes hh:mm:ss, nine characters with the terminator. */
static char *two_digits(char *out, unsigned number) {
    *out++ = (char)('0' + number / 10);
    *out++ = (char)('0' + number % 10);
    return out;
}

void format_clock(unsigned seconds, char out[9]) {
    out = two_digits(out, seconds / 3600 % 24);
    *out++ = ':';
    out = two_digits(out, seconds / 60 % 60);
    *out++ = ':';
    out = two_digits(out, seconds % 60);
    *out = '\0';
}
