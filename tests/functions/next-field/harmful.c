#include <stddef.h>
#include <string.h>

/* Cuts the next field off a text, and moves on to the rest; null if there is none any more. */
char *next_field(char **rest, char separator) {
    char *field = *rest;
    if (field == NULL)
        return NULL;
    char *at = field;
    while (*at != '\0' && *at != separator)
        at++;
    if (*at == separator)
        *at++ = '\0';
    *rest = at;
    return field;
}
