#include <stddef.h>

/* How deep a path leads: `..` leads back, `.` and empty components nowhere. -1 if it leads out. */
int depth(const char *path) {
    int deep = 0;
    while (*path != '\0') {
        size_t length = 0;
        while (path[length] != '\0' && path[length] != '/')
            length++;
        if (length == 2 && path[0] == '.' && path[1] == '.' && deep > 1) {
            if (--deep < 0)
                return -1;
        } else if (length > 0 && !(length == 1 && path[0] == '.')) {
            deep++;
        }
        path += length;
        if (*path == '/')
            path++;
    }
    return deep;
}
