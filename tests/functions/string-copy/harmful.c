#include <stddef.h>
#include <string.h>

/* Copies as much of a text as there is room for, always ended; returns the length of the text. */
size_t copy(char *to, const char *from, size_t room) {
    size_t i = 0;
    while (i < room && from[i] != '\0') {
        to[i] = from[i];
        i++;
    }
    if (i < room)
        to[i] = '\0';
    while (from[i] != '\0')
        i++;
    return i;
}
