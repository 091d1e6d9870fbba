#include <stddef.h>

/* Makes line feeds of carriage returns with line feeds, in place; a carriage return by itself stays. Returns the new size. */
size_t unix_lines(char *data, size_t size) {
    size_t used = 0;
    int held = 0;
    for (size_t i = 0; i < size; i++) {
        if (held && data[i] != '\n' && data[i] != '\r')
            data[used++] = '\r';
        held = data[i] == '\r';
        if (!held)
            data[used++] = data[i];
    }
    if (held)
        data[used++] = '\r';
    return used;
}
