#include <string.h>

/* The status code of the first line of an answer, or -1. */
int parse_status(const char *line) {
    int code = 0;
    if (strncmp(line, "HTTP/1.", 7) != 0)
        return -1;
    if (line[7] != '0' && line[7] != '1')
        return -1;
    if (line[8] != ' ')
        return -1;
    for (int i = 9; i < 12; i++) {
        if (line[i] < '0' || line[i] > '9')
            return -1;
        code = code * 10 + (line[i] - '0');
    }
    return code < 100 ? -1 : code;
}
