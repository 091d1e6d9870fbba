#include <stddef.h>
#include <string.h>

/* Writes folder/name; returns its length, or -1 if there is no room. A name that begins with a slash stays alone. */
int join(char *out, size_t room, const char *folder, const char *name) {
    size_t used = name[0] == '/' ? 0 : strlen(folder);
    int slash = used > 0 && folder[used - 1] != '/';
    size_t length = strlen(name);
    if (used + slash + length >= room)
        return -1;
    if (used > 0)
        memcpy(out, folder, used);
    if (slash)
        out[used++] = '/';
    memcpy(out + used, name, length + 1);
    return (int)(used + length);
}
