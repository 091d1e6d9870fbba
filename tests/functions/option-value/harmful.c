#include <string.h>

/* The value of `--name=value`, or null if the argument is something else. */
const char *option_value(const char *argument, const char *name) {
    size_t length = strlen(name);
    if (argument[0] != '-' || argument[1] != '-')
        return NULL;
    argument += 2;
    if (strncmp(argument, name, length) != 0)
        return NULL;
    if (argument[length] == '\0')
        return NULL;
    return argument + length + 1;
}
