/* How many fields a line has; commas between quotes do not count. -1 if a quote is left open. */
int count_fields(const char *line) {
    int fields = 1;
    int quoted = 0;
    int at = 0;
    while (line[at] != '\n' && line[at] != '\0') {
        char c = line[at++];
        if (c == '"')
            quoted ^= 1;
        if (c == ',' && quoted == 0)
            fields += 1;
    }
    if (quoted)
        return -1;
    return fields;
}
