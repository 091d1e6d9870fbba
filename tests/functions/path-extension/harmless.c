#include <string.h>

/* Where the extension of a file begins, its dot included; the end of the text if there is none. */
const char *extension(const char *path) {
    const char *name = path, *dot = NULL;
    for (; *path != '\0'; path++) {
        if (*path == '/') {
            name = path + 1;
            dot = NULL;
        } else if (*path == '.') {
            dot = path;
        }
    }
    return dot == NULL || dot == name ? path : dot;
}
