#include <string.h>

/* Where the extension of a file begins, its dot included; the end of the text if there is none. */
const char *extension(const char *path) {
    const char *end = path + strlen(path);
    const char *at = end;
    while (at > path && at[-1] != '/' && at[-1] != '.')
        at--;
    if (at == path || at[-1] == '/')
        return end;
    at--;
    return at == path ? end : at;
}
