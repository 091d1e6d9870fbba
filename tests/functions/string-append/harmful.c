#include <stddef.h>
#include <string.h>

/* Appends a text if there is room for all of it; 0 if there is none. */
int append(char *to, const char *from, size_t room) {
    size_t used = strlen(to);
    size_t length = strlen(from);
    if (used + length > room)
        return 0;
    for (size_t i = 0; i <= length; i++)
        to[used + i] = from[i];
    return 1;
}
