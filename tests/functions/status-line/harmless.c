#include <string.h>

static int is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

/* The status code of the first line of an answer, or -1. */
int parse_status(const char *line) {
    int code = 0;
    if (strncmp(line, "HTTP/1.", 7) != 0)
        return -1;
    line += 7;
    if (!(line[0] == '0' || line[0] == '1') || line[1] != ' ')
        return -1;
    line += 2;
    if (!is_digit(line[0]) || !is_digit(line[1]) || !is_digit(line[2]))
        return -1;
    code = (line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0');
    if (line[3] == '\0' || line[3] == ' ')
        return code >= 100 ? code : -1;
    return -1;
}
