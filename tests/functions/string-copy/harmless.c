#include <stddef.h>
#include <string.h>

/* Copies as much of a text as there is room for, always ended; returns the length of the text. */
size_t copy(char *to, const char *from, size_t room) {
    size_t length = strlen(from);
    if (room > 0) {
        size_t count = length < room ? length : room - 1;
        memcpy(to, from, count);
        to[count] = '\0';
    }
    return length;
}
