#include <stddef.h>
#include <string.h>

/* The last place where a character is, or null. */
const char *find_last(const char *text, char wanted) {
    const char *found = NULL;
    for (; *text != '\0'; text++)
        if (*text == wanted)
            found = text;
    return found;
}
