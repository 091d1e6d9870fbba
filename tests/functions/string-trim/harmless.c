#include <string.h>

static int is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

/* Cuts blanks at the end, and returns where the text begins. */
char *trim(char *text) {
    while (is_space(text[0]))
        text++;
    size_t length = strlen(text);
    while (length > 0 && is_space(text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}
