/* Whether $...*hh ends with the checksum of what is between the signs. */
static char hex(unsigned number) {
    return (char)(number < 10 ? '0' + number : 'A' + number - 10);
}

int check_sentence(const char *sentence) {
    unsigned char sum = 0;
    if (*sentence != '$')
        return 0;
    for (sentence++; *sentence != '\0' && *sentence != '*'; sentence++)
        sum ^= (unsigned char)*sentence;
    if (*sentence != '*')
        return 0;
    return sentence[1] == hex(sum >> 4) && sentence[2] == hex(sum & 15);
}
