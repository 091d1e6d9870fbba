/* How many fields a line has; commas between quotes do not count. -1 if a quote is left open. */
int count_fields(const char *line) {
    int fields = 1, quoted = 0;
    for (; *line != '\0' && *line != '\n'; line++) {
        if (*line == '"')
            quoted = !quoted;
        else if (*line == ',' && !quoted)
            fields++;
    }
    return quoted ? -1 : fields;
}
