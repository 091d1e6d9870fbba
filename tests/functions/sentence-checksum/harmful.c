/* Whether $...*hh ends with the checksum of what is between the signs. */
int check_sentence(const char *sentence) {
    static const char digits[] = "0123456789ABCDEF";
    unsigned char sum = 0;
    if (*sentence++ != '$')
        return 0;
    while (*sentence != '*') {
        if (*sentence == '\0')
            return 0;
        sum ^= (unsigned char)*sentence++;
    }
    sentence++;
    return sentence[0] == digits[sum >> 4] && sentence[1] != '\0';
}
