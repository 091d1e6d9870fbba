// RUN: incise run %s --entry find
// EXPECT: paths=7 errors=0 complete=true exit=0
// strchr, strrchr, strstr, memchr and strpbrk on a string with a symbolic letter.
#include <string.h>

int find(char letter) {
    char text[] = "a.b.c";
    text[2] = letter;
    if (letter == 0) {
        return (int)strlen(text);
    }
    const char *last = strrchr(text, '.');
    const char *first = strchr(text, letter);
    const char *pair = strstr(text, ".x");
    if (pair) {
        return 100 + (int)(pair - text);
    }
    if (strpbrk(text, "?!")) {
        return 200;
    }
    return (int)(last - text) * 10 + (int)(first - text) + (memchr(text, 'c', 4) != 0);
}
