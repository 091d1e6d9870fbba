int digits(const char *text) {
    int count = 0;
    for (; *text; text++)
        if (*text >= '0' && *text <= '9')
            count++;
    return count;
}
