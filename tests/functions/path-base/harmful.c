#include <string.h>

/* What is behind the last slash. */
const char *base_name(const char *path) {
    const char *name = path;
    for (; *path != '\0'; path++)
        if (*path == '/' && name < path)
            name = path + 1;
    return name;
}
