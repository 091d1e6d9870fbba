#include <stddef.h>

/* Splits `key = value`: 1 if there is a setting, 0 for a comment or an empty line, -1 if it is wrong or too long. */
int split_setting(const char *line, char *key, char *value, size_t room) {
    size_t length = 0;
    while (*line == ' ' || *line == '\t')
        line++;
    if (*line == '#' || *line == '\0')
        return 0;
    while (*line != '\0' && *line != '=') {
        if (length + 1 >= room)
            return -1;
        key[length++] = *line++;
    }
    if (*line++ != '=')
        return -1;
    while (length > 0 && key[length - 1] == ' ')
        length--;
    key[length] = '\0';
    while (*line == ' ' || *line == '\t')
        line++;
    length = 0;
    while (*line != '\0' && *line != '\n') {
        if (length + 1 >= room)
            return -1;
        value[length++] = *line++;
    }
    value[length] = '\0';
    return 1;
}
