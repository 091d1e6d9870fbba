#include <string.h>

static int is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

/* Cuts blanks at the end, and returns where the text begins. */
char *trim(char *text) {
    while (is_space(*text))
        text++;
    char *end = text + strlen(text);
    while (end > text + 2 && is_space(end[-1]))
        end--;
    *end = '\0';
    return text;
}
