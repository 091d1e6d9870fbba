#include <stddef.h>

/* Leaves one blank where there are several. */
void squeeze(char *text) {
    char *to = text;
    char last = '\0';
    for (; *text != '\0'; text++) {
        if (*text == ' ' && last == ' ')
            continue;
        last = *to++ = *text;
    }
    *to = '\0';
}
