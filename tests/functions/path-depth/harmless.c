#include <stddef.h>

static int step(const char *name, size_t length) {
    switch (length) {
    case 0:
        return 0;
    case 1:
        return name[0] == '.' ? 0 : 1;
    case 2:
        return name[0] == '.' && name[1] == '.' ? -1 : 1;
    default:
        return 1;
    }
}

/* How deep a path leads: `..` leads back, `.` and empty components nowhere. -1 if it leads out. */
int depth(const char *path) {
    int deep = 0;
    while (*path != '\0') {
        size_t length = 0;
        while (path[length] != '\0' && path[length] != '/')
            length++;
        deep += step(path, length);
        if (deep < 0)
            return -1;
        path += length;
        if (*path == '/')
            path++;
    }
    return deep;
}
