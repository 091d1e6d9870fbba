#include <stddef.h>

/* Leaves one blank where there are several. */
void squeeze(char *text) {
    size_t used = 0;
    for (size_t at = 0; text[at] != '\0'; at++)
        if (text[at] != ' ' || used == 0 || text[used - 1] != ' ')
            text[used++] = text[at];
    text[used] = '\0';
}
