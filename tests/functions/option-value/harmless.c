#include <string.h>

/* The value of `--name=value`, or null if the argument is something else. */
const char *option_value(const char *argument, const char *name) {
    if (argument[0] != '-' || argument[1] != '-')
        return NULL;
    argument += 2;
    while (*name != '\0') {
        if (*argument != *name)
            return NULL;
        argument++;
        name++;
    }
    return *argument == '=' ? argument + 1 : NULL;
}
