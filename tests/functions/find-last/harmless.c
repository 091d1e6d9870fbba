#include <stddef.h>
#include <string.h>

/* The last place where a character is, or null. */
const char *find_last(const char *text, char wanted) {
    size_t at = strlen(text);
    while (at > 0)
        if (text[--at] == wanted)
            return text + at;
    return NULL;
}
