#include <stddef.h>

/* Makes line feeds of carriage returns with line feeds, in place; a carriage return by itself stays. Returns the new size. */
size_t unix_lines(char *data, size_t size) {
    enum { PLAIN, RETURN } state = PLAIN;
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        char c = data[i];
        switch (state) {
        case RETURN:
            if (c != '\n')
                data[used++] = '\r';
            /* fall through */
        case PLAIN:
            state = c == '\r' ? RETURN : PLAIN;
            if (state == PLAIN)
                data[used++] = c;
        }
    }
    if (state == RETURN)
        data[used++] = '\r';
    return used;
}
